import { createGraph, defineSchema, edge, field, type GraphOptions, node, parameter } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { JsonValue } from '../../src/base/json.ts'
import type { EntryFilter, FilterEntry } from '../../src/schema/edge.ts'
import type { Field, FieldOptions, ResolveContext } from '../../src/schema/field.ts'
import type { Parameter } from '../../src/schema/parameter.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { NodeRecord, Store, StoreMutation } from '../../src/store/contract.ts'
import { createPolicy } from './make-rules.ts'
import {
  computeText,
  type EdgeSpec,
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
      return field.viewerEdge(spec.edge, flags)
    case 'computed':
      return field.string({
        ...flags,
        parameters: { times: parameter.int() },
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
  (filter: FilterSpec, watch: WatchCall): EntryFilter =>
  (entry, values) => {
    watch(entry, toValues(values))
    const { data, time, target } = entry
    const compared = { role: data.role, time, fields: target.fields }
    if (passesFilter(filter, compared, toValues(values))) return true
    if (filter.refusal === 'throws') throw new Error('This filter is broken')
    return filter.refusal === 'text' ? JSON.parse('"no"') : false
  }

const createEdge = (spec: EdgeSpec, name: string, watch: WatchCall) => {
  const { targets, fields, policy, parameters, list, where, ...options } = spec
  return edge(targets, {
    ...options,
    parameters: parameters && mapValues(parameters, spec => PARAMETERS[spec.kind](spec)),
    list:
      list &&
      (values => {
        const chosen = Object.fromEntries(list.map(one => [one, toValues(values)[one]]))
        return listNameOf(name, { list, parameters }, chosen)
      }),
    where: where && createFilter(where, watch),
    reads: where?.reads,
    policy: createPolicy(policy),
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, { kind, scope }]) => [
        name,
        kind === 'edgeTime' ? field.edgeTime({ scope }) : field.string({ scope }),
      ]),
    ),
  })
}

/** Creates the real schema of a world. */
export const createSchema = (
  { types, viewers }: SchemaSpec,
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
    { versions: [...VERSIONS], viewers },
  )

/** Returns the mutations that write a world. */
export const toMutations = ({ nodes, edges }: World): StoreMutation[] => [
  ...nodes.map((node): StoreMutation => ({ op: 'putNode', node })),
  ...edges.map((edge): StoreMutation => ({ op: 'putEdge', edge })),
]

export type OpenWorldOptions = Omit<GraphOptions, 'schema'> & {
  /** Wraps the store of the graph. */
  readonly wrap?: ((store: Store) => Store) | undefined
  readonly watchFilters?: FilterWatcher | undefined
  /** The app of the session. */
  readonly app?: string | undefined
}

/** Writes a world to a new store, and opens a graph of it. */
export const openWorld = async (
  world: World,
  { wrap = store => store, watchFilters, app = 'tests', ...options }: OpenWorldOptions = {},
) => {
  const store = createMemoryStore()
  await store.write(toMutations(world), { signal: undefined })
  const graph = createGraph(wrap(store), { ...options, schema: createSchema(world.schema, watchFilters) })
  const { viewer, scopes } = world
  return { store, graph, session: graph.session({ viewer, app, scopes }) }
}
