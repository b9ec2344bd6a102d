import type { Arbitrary } from 'fast-check'
import type { IdKind, NodeId } from '../base/ids.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type {
  EdgeKey,
  EdgePosition,
  EdgeRange,
  EdgeRecord,
  NodeRecord,
  StoreReadRequest,
  TokenRecord,
  WantedFields,
} from '../store/contract.ts'
import type { StoreMutation } from '../store/mutations.ts'
import { createConditionalMutationArbitrary } from './conditional-arbitraries.ts'
import { createIdArbitrary } from './id-arbitraries.ts'
import type { FastCheck } from './store-suite.ts'

/** A small graph. Both ends of each edge are among the nodes. */
export type SmallGraph = { readonly nodes: readonly NodeRecord[]; readonly edges: readonly EdgeRecord[] }

/** Arbitraries of the records and requests of stores. */
export type Arbitraries = {
  /**
   * Usually one of a few ids, so that records often have the same id. Some ids of digits sort differently as text
   * or as doubles, and some named ids as numbers or without case.
   */
  readonly id: Arbitrary<NodeId>
  /**
   * An edge name, type, field name or digest: usually ordinary text, sometimes text that naive joins and
   * escapes handle wrongly.
   */
  readonly name: Arbitrary<string>
  /** Usually one of five times, so that records often have the same time; sometimes any valid time. */
  readonly time: Arbitrary<number>
  /** Fields of a node or data of an edge: no member is null, but nested values may be. */
  readonly fields: Arbitrary<JsonObject>
  readonly node: Arbitrary<NodeRecord>
  readonly edge: Arbitrary<EdgeRecord>
  readonly token: Arbitrary<TokenRecord>
  readonly position: Arbitrary<EdgePosition>
  readonly range: Arbitrary<EdgeRange>
  readonly request: Arbitrary<StoreReadRequest>
  /**
   * A mutation that may be invalid, such as a put of an edge with a missing end. An edge may have a mirror,
   * which is valid.
   */
  readonly mutation: Arbitrary<StoreMutation>
  /**
   * A mutation of a node or an edge, which may be invalid, and often has a condition or an increment. Records
   * are among a few, so that conditions often hold. Only for stores with the capability `conditionalWrites`.
   */
  readonly conditionalMutation: Arbitrary<StoreMutation>
  /** Up to six nodes and twelve edges. */
  readonly graph: Arbitrary<SmallGraph>
}

const NAMES = ['likes', 'friends', 'a:b', '1', '__proto__', '\u0000', '😀']
const TIMES = [0, 1, 2, 3, -1]
const LARGEST_TIME = 8.64e15

/** Creates the arbitraries of values in records. */
const createValueArbitraries = (fc: FastCheck, ids: IdKind) => {
  const id = createIdArbitrary(fc, ids)
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('likes', 'friends') },
    fc.constantFrom(...NAMES),
  )
  const time = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...TIMES) },
    { weight: 1, arbitrary: fc.integer({ min: -LARGEST_TIME, max: LARGEST_TIME }) },
  )
  const text = fc.string({ unit: 'binary', maxLength: 4 })
  const scalar = fc.oneof(
    fc.integer(),
    text,
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  const nestedValue = fc.option(scalar)
  const list = fc.array(nestedValue, { maxLength: 2 })
  const object = fc.dictionary(text, nestedValue, { maxKeys: 2, noNullPrototype: true })
  const json: Arbitrary<JsonValue> = fc.oneof({ weight: 3, arbitrary: scalar }, list, object)
  const objectOf = <T>(value: Arbitrary<T>) =>
    fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true })
  return { id, name, time, fields: objectOf(json), patch: objectOf(fc.option(json)) }
}

/** Creates the arbitraries of records. */
const createRecordArbitraries = (fc: FastCheck, ids: IdKind) => {
  const { id, name, time, fields } = createValueArbitraries(fc, ids)
  const optional = <T>(value: Arbitrary<T>) => fc.option(value, { nil: undefined })
  const type = fc.oneof({ weight: 9, arbitrary: fc.constant('thing') }, name)
  const node: Arbitrary<NodeRecord> = fc.record({ id, type, fields })
  const edge: Arbitrary<EdgeRecord> = fc.record({
    source: id,
    name,
    target: id,
    time,
    data: optional(fields),
  })
  const token: Arbitrary<TokenRecord> = fc.record({
    viewer: optional(id),
    app: name,
    scopes: fc.array(name, { maxLength: 2 }),
    issuedAt: time,
    expiresAt: optional(time),
    revokedAt: optional(time),
    generation: name,
    unknown: fields,
  })
  return { node, edge, token }
}

const createMirror = ({ source, target }: EdgeKey, name: string | undefined) =>
  name === undefined ? {} : { mirror: { source: target, name, target: source } }

const createMutationArbitrary = (fc: FastCheck, ids: IdKind): Arbitrary<StoreMutation> => {
  const { id, name, patch } = createValueArbitraries(fc, ids)
  const { node, edge, token } = createRecordArbitraries(fc, ids)
  const edgeKey: Arbitrary<EdgeKey> = fc.record({ source: id, name, target: id })
  const mirrorName = fc.option(name, { nil: undefined })
  const putEdge = fc
    .tuple(edge, mirrorName)
    .map(([edge, name]): StoreMutation => ({ op: 'putEdge', edge, ...createMirror(edge, name) }))
  const deleteEdge = fc
    .tuple(edgeKey, mirrorName)
    .map(([edge, name]): StoreMutation => ({ op: 'deleteEdge', edge, ...createMirror(edge, name) }))
  return fc.oneof(
    { weight: 6, arbitrary: putEdge },
    { weight: 4, arbitrary: fc.record({ op: fc.constant('putNode'), node }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('patchNode'), id, fields: patch }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('deleteNode'), id }) },
    { weight: 2, arbitrary: deleteEdge },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('putToken'), digest: name, token }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('deleteToken'), digest: name }) },
  )
}

/** Creates the arbitraries of read requests. */
const createRequestArbitraries = (fc: FastCheck, ids: IdKind) => {
  const { id, name, time } = createValueArbitraries(fc, ids)
  const optional = <T>(value: Arbitrary<T>) => fc.option(value, { nil: undefined })
  const position: Arbitrary<EdgePosition> = fc.record({ time, target: id })
  const range: Arbitrary<EdgeRange> = fc.record({
    source: id,
    name,
    direction: fc.constantFrom('oldest', 'newest'),
    from: optional(position),
    minTime: optional(time),
    maxTime: optional(time),
    limit: fc.constantFrom(100, 2, 1, 0),
    count: fc.boolean(),
  })
  const arrayUpToFour = <T>(item: Arbitrary<T>) => fc.array(item, { maxLength: 4 })
  const names = fc.array(name, { maxLength: 2 }).map(read => new Set(read))
  const type = fc.oneof({ weight: 9, arbitrary: fc.constant('thing') }, name)
  const wantedFields: Arbitrary<WantedFields> = fc
    .array(fc.tuple(type, optional(names)), { maxLength: 2 })
    .map(entries => new Map(entries))
  const request: Arbitrary<StoreReadRequest> = fc.record({
    nodes: arrayUpToFour(id),
    ranges: arrayUpToFour(range),
    checks: arrayUpToFour(
      fc.record({ source: id, name, target: id, data: fc.constantFrom(undefined, true, false) }),
    ),
    tokens: arrayUpToFour(name),
    fields: optional(wantedFields),
  })
  return { position, range, request }
}

const MAX_NODES = 6
const MAX_EDGES = 12

const createGraphArbitrary = (fc: FastCheck, ids: IdKind): Arbitrary<SmallGraph> => {
  const { node, edge } = createRecordArbitraries(fc, ids)
  return fc
    .uniqueArray(node, { maxLength: MAX_NODES, selector: ({ id }) => id })
    .chain((nodes): Arbitrary<SmallGraph> => {
      if (nodes.length === 0) return fc.constant({ nodes, edges: [] })
      const endpoint = fc.constantFrom(...nodes.map(({ id }) => id))
      const edges = fc.uniqueArray(
        fc.tuple(edge, endpoint, endpoint).map(([edge, source, target]) => ({ ...edge, source, target })),
        {
          maxLength: MAX_EDGES,
          selector: ({ source, name, target }) => JSON.stringify([source, name, target]),
        },
      )
      return edges.map(edges => ({ nodes, edges }))
    })
}

/**
 * Creates arbitraries for property tests of stores and of code that uses them. They shrink towards the first id,
 * the name `likes`, time 0 and empty records.
 *
 * @param ids The kind of the ids. Default `digits`.
 * @example
 * ```ts
 * import fc from 'fast-check'
 * import { arbitraries, createModelStore } from 'kithgraph/testing'
 *
 * const { node } = arbitraries(fc)
 * const options = { signal: undefined, deadline: undefined, minRevision: undefined }
 * await fc.assert(
 *   fc.asyncProperty(node, async node => {
 *     const store = createModelStore()
 *     await store.write([{ op: 'putNode', node }], options)
 *     const { nodes } = await store.read({ nodes: [node.id], ranges: [], checks: [], tokens: [] }, options)
 *     return nodes[0]?.type === node.type
 *   }),
 * )
 * ```
 */
export const arbitraries = (fc: FastCheck, ids: IdKind = 'digits'): Arbitraries => {
  const { id, name, time, fields } = createValueArbitraries(fc, ids)
  return {
    id,
    name,
    time,
    fields,
    ...createRecordArbitraries(fc, ids),
    ...createRequestArbitraries(fc, ids),
    mutation: createMutationArbitrary(fc, ids),
    conditionalMutation: createConditionalMutationArbitrary(fc, ids),
    graph: createGraphArbitrary(fc, ids),
  }
}
