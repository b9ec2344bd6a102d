import { createGraph, defineSchema, edge, field, type GraphOptions, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import type { JsonValue } from '../../src/base/json.ts'
import type { Field, FieldOptions, ResolveContext } from '../../src/schema/field.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { Mutation, NodeRecord, Store } from '../../src/store/contract.ts'
import { policyOf } from './make-rules.ts'
import {
  computedText,
  type EdgeSpec,
  type FieldSpec,
  type SchemaSpec,
  type ValueKind,
  VERSIONS,
  type World,
} from './naive-graph/world.ts'
import { mapValues } from './schema-arbitraries.ts'

type Flags = FieldOptions & { readonly required?: boolean | undefined }

const VALUE_FIELDS: { readonly [kind in ValueKind]: (flags: Flags) => Field } = {
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

const fieldOf = (spec: FieldSpec): Field => {
  const { default: isDefault, scope, since, removedIn } = spec
  const flags = { default: isDefault, scope, since, removedIn, policy: policyOf(spec.policy) }
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
        parameters: { times: field.int() },
        resolve: (records: readonly NodeRecord[], { parameters }: ResolveContext) =>
          records.map(({ id }) => computedText(id, timesIn(parameters.times))),
      })
  }
}

const timesIn = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined

const edgeOf = ({ targets, fields, policy, ...options }: EdgeSpec) =>
  edge(targets, {
    ...options,
    policy: policyOf(policy),
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, { kind, scope }]) => [
        name,
        kind === 'edgeTime' ? field.edgeTime({ scope }) : field.string({ scope }),
      ]),
    ),
  })

/** The real schema of a world. */
export const schemaOf = ({ types, viewers }: SchemaSpec): Schema =>
  defineSchema(
    mapValues(types, ({ policy, appScoped, fields, edges }) =>
      node({
        policy: policyOf(policy),
        appScoped,
        fields: mapValues(fields, fieldOf),
        edges: mapValues(edges, edgeOf),
      }),
    ),
    { versions: [...VERSIONS], viewers },
  )

/** The mutations that store a world. */
export const recordsOf = ({ nodes, edges }: World): Mutation[] => [
  ...nodes.map((node): Mutation => ({ op: 'putNode', node })),
  ...edges.map((edge): Mutation => ({ op: 'putEdge', edge })),
]

export type OpenOptions = Omit<GraphOptions, 'schema'> & {
  /** Stands between the store and the graph. */
  readonly wrap?: ((store: Store) => Store) | undefined
  /** The app that the viewer comes with. */
  readonly app?: string | undefined
}

/** A world in a store of its own, and a graph over it. */
export const openWorld = async (
  world: World,
  { wrap = store => store, app = 'tests', ...options }: OpenOptions = {},
) => {
  const store = createMemoryStore()
  await store.write(recordsOf(world), { signal: undefined })
  const graph = createGraph(wrap(store), { ...options, schema: schemaOf(world.schema) })
  const { viewer, scopes } = world
  return { store, graph, session: graph.session({ viewer, app, scopes }) }
}
