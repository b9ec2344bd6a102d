import fc, { type Arbitrary } from 'fast-check'
import type { IdKind } from '../../src/base/ids.ts'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import type { EdgeRecord, NodeRecord } from '../../src/store/contract.ts'
import {
  chooseIdKinds,
  digitsOf,
  firstTypeOf,
  idOf,
  kindOfWorld,
  missingIdOf,
  withIdKind,
} from './id-kinds.ts'
import { ROOT, withCollectionEntries } from './naive-graph/collections.ts'
import { listChoicesOf } from './naive-graph/edge-parameters.ts'
import type { FieldSpec, KeyField, SchemaSpec, ValueKind, World } from './naive-graph/world.ts'
import { listNameOf } from './naive-graph/world.ts'
import { type Share, withCollections, withOrders } from './order-arbitraries.ts'
import { type ParameterShare, withParameters } from './parameter-arbitraries.ts'
import { withPolicies } from './policy-arbitraries.ts'
import { fitSchema } from './policy-fitter.ts'
import { IDS, rarely, SCOPES, schemaSpecs, TYPES, VALUE_FIELDS } from './schema-arbitraries.ts'

/**
 * The possible times of edges. There are only a few, so that many edges have the same time. Most are close to
 * a whole second, to test time windows.
 */
const TIMES = [0, 999, 1000, 1001, 2000, 2500, 5000, -1, 1_700_000_000_000]

const VALUES: { readonly [kind in ValueKind]: Arbitrary<JsonValue> } = {
  string: fc.constantFrom('', 'Ada', 'a "quoted" \n text', '😀'),
  bool: fc.boolean(),
  int: fc.oneof(fc.integer(), fc.constantFrom(-1, 0, 1)),
  float: fc.constantFrom(0, 1.5, -2.25e-7),
  numericString: fc.constantFrom('0', '00012345678901234567890', '-9223372036854775808', '-0.50'),
  date: fc.constantFrom('0001-01-01', '2000-02-29'),
  json: fc.constantFrom<JsonValue>({ a: [{ b: null }, 1] }, [], '', 0, false),
  url: fc.constantFrom('/a', 'https://graph.test/?a=b&c'),
  enum: fc.constantFrom('calm', 'cross'),
  list: fc.array(fc.constantFrom('a', 'b', ''), { maxLength: 3 }),
  datetime: fc.constantFrom(0, 1_000, 951_782_399_999, -1, 253_402_300_799_000),
  unixtime: fc.constantFrom(0, -1, 1_700_000_000),
  birthday: fc.record(
    {
      date: fc.constantFrom('2000-02-29', '1969-12-31'),
      show: fc.constantFrom('full', 'year', 'day'),
    },
    { noNullPrototype: true },
  ),
}

const pickAt = <T>(from: readonly T[], index: number): T | undefined => from[index % Math.max(1, from.length)]

/**
 * The type and a value for each possible field of a node. `createNode` keeps the fields that the type
 * declares.
 */
export const nodeSeeds = fc.record({
  id: fc.constantFrom(...IDS),
  type: fc.nat(TYPES.length - 1),
  values: fc.record(VALUES),
  owner: fc.nat(IDS.length),
  origin: fc.nat(IDS.length),
  // Most nodes have an owner, so that policies follow several refs in a row.
  missing: fc
    .tuple(fc.subarray([...Object.keys(VALUE_FIELDS), 'origin']), rarely(fc.constant('owner'), 4))
    .map(([names, owner]) => (owner === undefined ? names : [...names, owner])),
})

export type NodeSeed = typeof nodeSeeds extends Arbitrary<infer T> ? T : never

export const createNode = (schema: SchemaSpec, seed: NodeSeed, ids: readonly string[]): NodeRecord => {
  const { types } = schema
  const type =
    pickAt(
      Object.keys(types).filter(name => name !== ROOT),
      seed.type,
    ) ?? ''
  const stored = (name: string, field: FieldSpec): JsonValue | undefined => {
    if (field.kind === 'value')
      return seed.missing.includes(name) && !field.required ? undefined : seed.values[field.of]
    if (field.kind !== 'ref' || seed.missing.includes(name)) return undefined
    return pickAt([...ids, missingIdOf({ schema })], name === 'owner' ? seed.owner : seed.origin)
  }
  const fields = Object.entries(types[type]?.fields ?? {}).flatMap(([name, field]) => {
    const value = stored(name, field)
    return value === undefined ? [] : [[name, value] as const]
  })
  const id = idOf(kindOfWorld({ schema }), type, digitsOf(seed.id))
  return { id, type, fields: Object.fromEntries(fields) }
}

export const edgeSeeds = fc.record({
  source: fc.nat(7),
  name: fc.nat(3),
  /** The stored list, mostly the one for the default values. */
  list: fc.oneof(fc.constant(0), fc.nat(8)),
  target: fc.nat(7),
  time: fc.constantFrom(...TIMES),
  role: fc.option(fc.constantFrom('guest', 'host'), { nil: undefined }),
  keys: fc.record({
    rank: fc.constantFrom(0, 0, 1, 2, -5, 1_000_000, 8.64e15, -8.64e15),
    at: fc.constantFrom(0, 0, 1000, 1500, -1, 1_700_000_000_000),
    stamp: fc.constantFrom(0, 0, 1, 2, -1, 1_700_000_000),
  }),
})

export type EdgeSeed = typeof edgeSeeds extends Arbitrary<infer T> ? T : never

const KEY_FIELDS: readonly KeyField[] = ['rank', 'at', 'stamp']

/**
 * Creates an edge between existing nodes, and its mirror if it has one. Returns an empty array if no nodes
 * fit the seed.
 */
export const createEdges = (
  { types }: SchemaSpec,
  nodes: readonly NodeRecord[],
  { source, name, list, target, time, role, keys }: EdgeSeed,
): readonly EdgeRecord[] => {
  const from = pickAt(
    nodes.filter(({ id }) => id !== ROOT),
    source,
  )
  const [edge, spec] = pickAt(Object.entries(types[from?.type ?? '']?.edges ?? {}), name) ?? []
  const to = pickAt(
    nodes.filter(node => spec?.targets.includes(node.type)),
    target,
  )
  if (from === undefined || edge === undefined || spec === undefined || to === undefined) return []
  const values = pickAt(listChoicesOf(spec), list) ?? {}
  const mirror = spec.symmetric ? edge : spec.inverse
  const mirrorSpec = types[to.type]?.edges[mirror ?? '']
  const declaredKeys = KEY_FIELDS.filter(key => key in spec.fields || key in (mirrorSpec?.fields ?? {}))
  const data: JsonObject = {
    ...(role && { role }),
    ...Object.fromEntries(declaredKeys.map(key => [key, keys[key]])),
  }
  const record: EdgeRecord = {
    source: from.id,
    name: listNameOf(edge, spec, values),
    target: to.id,
    time,
    ...(Object.keys(data).length > 0 && { data }),
  }
  if (mirror === undefined || mirrorSpec === undefined) return [record]
  return [record, { ...record, source: to.id, name: listNameOf(mirror, mirrorSpec, values), target: from.id }]
}

/** Creates edges between each node and the viewer, in one of the two directions. */
const createViewerEdges = (
  schema: SchemaSpec,
  nodes: readonly NodeRecord[],
  viewer: string | undefined,
  seeds: readonly EdgeSeed[],
): readonly EdgeRecord[] => {
  const viewerNode = nodes.find(({ id }) => id === viewer)
  if (viewerNode === undefined) return []
  return seeds.flatMap((seed, index) => {
    const other = pickAt(nodes, index)
    return other === undefined ? [] : createEdges(schema, [other, viewerNode], seed)
  })
}

/** Keeps only the last record of each edge, as a store does. */
export const keepLastOfEach = (edges: readonly EdgeRecord[]): readonly EdgeRecord[] => [
  ...new Map(edges.map(edge => [JSON.stringify([edge.source, edge.name, edge.target]), edge])).values(),
]

export type WorldOptions = {
  /** The kind of the ids. Default: either kind, in about half of the worlds each. */
  readonly ids?: IdKind | undefined
  /** Whether types, edges and fields may have policies, and types may be app-scoped. */
  readonly hasPolicies?: boolean | undefined
  /** How many worlds have edges with parameters. Default: a third, `some`. */
  readonly parameters?: ParameterShare | undefined
  /** How many worlds have edges with further orders. Default: a third, `some`. */
  readonly orders?: Share | undefined
  /** How many worlds have collections. Default: a third, `some`. */
  readonly collections?: Share | undefined
}

/** Valid schemas with up to three types that refer to each other. */
export const validSchemas = ({
  hasPolicies = false,
  parameters,
  orders,
  collections,
}: WorldOptions = {}): Arbitrary<SchemaSpec> =>
  withCollections(
    withOrders(withParameters(hasPolicies ? withPolicies(schemaSpecs) : schemaSpecs, parameters), orders),
    { share: collections, hasPolicies },
  ).map(fitSchema)

/** Returns the id of a node, one that no node has, or undefined. With named ids, it is one of a viewer type. */
const pickViewer = (
  kind: IdKind,
  schema: SchemaSpec,
  nodes: readonly NodeRecord[],
  index: number,
): string | undefined => {
  const mayView = (type: string): boolean => kind === 'digits' || schema.viewers.includes(type)
  if (index < 35)
    return pickAt(
      nodes.filter(({ type }) => mayView(type)),
      index,
    )?.id
  return index < 37 && mayView(firstTypeOf(schema)) ? missingIdOf({ schema }) : undefined
}

/**
 * Worlds with up to three types that refer to each other and up to eight nodes. They include edges with equal
 * times, refs to missing nodes and missing values. The ids of half of them are named ids. The viewer may be a missing node or undefined.
 */
export const worlds = (options: WorldOptions = {}): Arbitrary<World> => {
  const { hasPolicies = false, ids } = options
  return fc
    .record({
      schema: validSchemas(options),
      nodes: fc.uniqueArray(nodeSeeds, {
        minLength: hasPolicies ? 4 : 1,
        maxLength: IDS.length,
        size: 'max',
        selector: ({ id }) => id,
      }),
      edges: fc.array(edgeSeeds, { maxLength: 60, size: 'max' }),
      viewerEdges: hasPolicies ? fc.array(edgeSeeds, { maxLength: 16, size: 'max' }) : fc.constant([]),
      viewer: fc.nat(40),
      kind: chooseIdKinds(ids),
      scopes: fc.oneof({ weight: 3, arbitrary: fc.constant(SCOPES) }, fc.subarray(SCOPES)),
    })
    .map(({ schema, scopes, kind, ...raw }) => {
      const ids = raw.nodes.map(({ id }) => id)
      const nodes = raw.nodes.map(node => createNode(schema, node, ids))
      const viewer = pickViewer(kind, schema, nodes, raw.viewer)
      const edges = keepLastOfEach([
        ...raw.edges.flatMap(edge => createEdges(schema, nodes, edge)),
        ...createViewerEdges(schema, nodes, viewer, raw.viewerEdges),
      ])
      return withCollectionEntries(withIdKind(kind, { schema, nodes, edges, viewer, scopes }))
    })
}
