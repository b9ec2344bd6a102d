import {
  collection,
  createGraph,
  defineSchema,
  edge,
  field,
  type GraphOptions,
  node,
  parameter,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { JsonValue } from '../../src/base/json.ts'
import type { EntryFilter, FilterEntry } from '../../src/schema/entry-filter.ts'
import type { EdgeField, Field, FieldOptions, ResolveContext } from '../../src/schema/field.ts'
import { findListFlags } from '../../src/schema/list-flags.ts'
import type { Parameter } from '../../src/schema/parameter.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { EdgeRecord, NodeRecord, Store } from '../../src/store/contract.ts'
import type { DerivedEntry } from '../../src/store/derived-entries.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { createPolicy } from './make-rules.ts'
import { factorOf, ROOT, storedPartOf } from './naive-graph/collections.ts'
import { listsOf } from './naive-graph/edge-parameters.ts'
import {
  computeText,
  type EdgeSpec,
  type EntryFieldSpec,
  type FieldSpec,
  type FilterSpec,
  listNameOf,
  type ParameterSpec,
  type ParameterValues,
  passesFilter,
  type SchemaSpec,
  type ValueKind,
  VERSIONS,
  type World,
} from './naive-graph/world.ts'
import { mapValues } from './schema-arbitraries.ts'

type FieldFlags = FieldOptions & { readonly required?: boolean | undefined }

const VALUE_FIELDS: { readonly [kind in ValueKind]: (flags: FieldFlags) => Field } = {
  string: flags => field.string(flags),
  bool: flags => field.bool(flags),
  int: flags => field.int(flags),
  float: flags => field.float(flags),
  numericString: flags => field.numericString(flags),
  url: flags => field.url(flags),
  enum: flags => field.enum(['calm', 'cross'], flags),
  list: flags => field.list(field.string(), flags),
  datetime: flags => field.datetime(flags),
  unixtime: flags => field.unixtime(flags),
  birthday: flags => field.birthday(flags),
  date: flags => field.date(flags),
  json: flags => field.json(flags),
}

const createField = (spec: FieldSpec): Field => {
  const { default: isDefault, scope, since, removedIn } = spec
  const flags = { default: isDefault, scope, since, removedIn, policy: createPolicy(spec.policy) }
  switch (spec.kind) {
    case 'value':
      return VALUE_FIELDS[spec.of]({ ...flags, required: spec.required })
    case 'ref':
      return field.ref(spec.targets, flags)
    case 'viewerEdge':
      return field.viewerEdge(spec.edge, { ...flags, field: spec.field, parameters: spec.parameters })
    case 'computed':
      return field.string({
        ...flags,
        parameters: { times: parameter.int() },
        reads: [],
        resolve: (records: readonly NodeRecord[], { parameters }: ResolveContext) =>
          records.map(({ id }) => computeText(id, toTimes(parameters.times))),
      })
  }
}

const toTimes = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined

/** The specs have a default of the right kind. */
const PARAMETERS: { readonly [kind in ParameterSpec['kind']]: (spec: ParameterSpec) => Parameter } = {
  enum: spec => parameter.enum(spec.kind === 'enum' ? spec.words : [], toOptions<string>(spec)),
  string: spec => parameter.string(toOptions<string>(spec)),
  int: spec => parameter.int(toOptions<number>(spec)),
  bool: spec => parameter.bool(toOptions<boolean>(spec)),
}

const toOptions = <TValue>(spec: ParameterSpec): { default?: TValue } =>
  spec.default === undefined ? {} : Object({ default: spec.default })

const toValues = (values: { readonly [name: string]: unknown }): ParameterValues => Object(values)

type WatchCall = (entry: FilterEntry, values: ParameterValues) => void

/** Returns the function that observes each call of the filter of an edge. */
export type FilterWatcher = (type: string, edge: string) => WatchCall

const createFilter =
  (filter: FilterSpec, watch: WatchCall): EntryFilter<{ readonly [name: string]: unknown }> =>
  (entry, values) => {
    const { data, time, target } = entry
    // The copy has only the fields that the filter declares, although it compares others too.
    const fields = { ...target.fields }
    watch({ data, time, target: { ...target, fields } }, toValues(values))
    const compared = { role: data.role, time, fields }
    if (passesFilter(filter, compared, toValues(values))) return true
    if (filter.refusal === 'throws') throw new Error('This filter is broken')
    return filter.refusal === 'text' ? JSON.parse('"no"') : false
  }

const createEntryField = ({ kind, scope }: EntryFieldSpec): EdgeField => {
  switch (kind) {
    case 'edgeTime':
      return field.edgeTime({ scope })
    case 'role':
      return field.string({ scope })
    case 'rank':
      return field.int({ scope, required: true })
    case 'at':
      return field.datetime({ scope, required: true })
    case 'stamp':
      return field.unixtime({ scope, required: true })
  }
}

const createParameters = ({ parameters }: EdgeSpec) =>
  parameters && mapValues(parameters, spec => PARAMETERS[spec.kind](spec))

const createCollection = (spec: EdgeSpec, watch: WatchCall) => {
  const { targets, order, scope, defaults, policy, where } = spec
  return collection(targets, {
    scope,
    defaults,
    order: order === 'chronological' ? order : 'reverse_chronological',
    by: spec.collection?.by,
    parameters: createParameters(spec),
    where: where && createFilter(where, watch),
    reads: where?.reads,
    policy: createPolicy(policy),
  })
}

const createEdge = (spec: EdgeSpec, name: string, watch: WatchCall) => {
  const { targets, fields, policy, parameters, list, where, collection: _, ...options } = spec
  return edge(targets, {
    ...options,
    parameters: createParameters(spec),
    list:
      list &&
      (values => {
        const chosen = Object.fromEntries(list.map(one => [one, toValues(values)[one]]))
        return listNameOf(name, { list, parameters }, chosen)
      }),
    where: where && createFilter(where, watch),
    reads: where?.reads,
    policy: createPolicy(policy),
    fields: mapValues(fields, createEntryField),
  })
}

/** Creates the real schema of a world. */
export const createSchema = (
  { types: { [ROOT]: root, ...types }, viewers, ids }: SchemaSpec,
  watchFilters: FilterWatcher = () => () => undefined,
): Schema =>
  defineSchema(
    mapValues(types, ({ policy, appScoped, fields, edges }, type) =>
      node({
        policy: createPolicy(policy),
        appScoped,
        fields: mapValues(fields, createField),
        edges: mapValues(edges, (edge, name) => createEdge(edge, name, watchFilters(type, name))),
      }),
    ),
    {
      versions: [...VERSIONS],
      viewers,
      ids,
      collections:
        root && mapValues(root.edges, (edge, name) => createCollection(edge, watchFilters(ROOT, name))),
    },
  )

/** Returns the entries of an edge in the orders of its list. */
const createOrderEntries = (
  { schema, nodes }: World,
  { source, name, target }: EdgeRecord,
): readonly DerivedEntry[] => {
  const type = nodes.find(({ id }) => id === source)?.type
  const orders = listsOf(schema.types[type ?? '']).get(name)?.edge.orders ?? {}
  return Object.entries(orders).flatMap(([order, spec]): DerivedEntry[] =>
    spec === 'time'
      ? []
      : [
          {
            source,
            name: `${name}#${order}`,
            target,
            by: { field: spec.by, factor: spec.by === 'stamp' ? 1000 : 1 },
          },
        ],
  )
}

const createCollectionEntries = ({ types }: SchemaSpec, { id: target, type }: NodeRecord): DerivedEntry[] =>
  Object.entries(types[ROOT]?.edges ?? {}).flatMap(([name, { targets, collection }]) => {
    const field = collection?.by
    const by = field === undefined ? undefined : { field, factor: factorOf(types[type]?.fields[field]) }
    return targets.includes(type) ? [{ source: ROOT, name, target, by }] : []
  })

/** Returns the mutations that write a world, with the entries of its orders and collections. */
export const toMutations = (world: World): StoreMutation[] => {
  const { nodes, edges } = storedPartOf(world)
  const entries = [
    ...nodes.flatMap(node => createCollectionEntries(world.schema, node)),
    ...edges.flatMap(edge => createOrderEntries(world, edge)),
  ]
  const flags = [...findListFlags(createSchema(world.schema)).values()].flatMap(list => list.flags)
  return [
    ...nodes.map((node): StoreMutation => ({ op: 'putNode', node })),
    ...edges.map((edge): StoreMutation => ({ op: 'putEdge', edge })),
    ...entries.map((entry): StoreMutation => ({ op: 'deriveEntry', entry })),
    ...[...new Set(flags)].map((flag): StoreMutation => ({ op: 'putFlag', flag })),
  ]
}

export type OpenWorldOptions = Omit<GraphOptions, 'schema'> & {
  /** Wraps the store of the graph. */
  readonly wrap?: ((store: Store) => Store) | undefined
  readonly watchFilters?: FilterWatcher | undefined
  /** The app of the session. */
  readonly app?: string | undefined
}

/** Graphs of one world have the same cursors. */
const SECRET = 'a secret for the tests of cursors'

/** Writes a world to a new store, and opens a graph of it. */
export const openWorld = async (
  world: World,
  { wrap = store => store, watchFilters, app = 'tests', ...options }: OpenWorldOptions = {},
) => {
  const store = createMemoryStore()
  await store.write(toMutations(world), { signal: undefined })
  const graph = createGraph(wrap(store), {
    secret: SECRET,
    ...options,
    schema: createSchema(world.schema, watchFilters),
  })
  const { viewer, scopes } = world
  return { store, graph, session: graph.session({ viewer, app, scopes }) }
}
