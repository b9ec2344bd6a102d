import type { Arbitrary } from 'fast-check'
import type { NodeId } from '../base/ids.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type {
  EdgePosition,
  EdgeRange,
  EdgeRecord,
  EdgeTest,
  Mutation,
  NodeRecord,
  TokenRecord,
  Wave,
} from '../store/contract.ts'
import type { FastCheck } from './runner.ts'

/** A small graph, whole: both ends of each edge are among its nodes. */
export type SmallGraph = { readonly nodes: readonly NodeRecord[]; readonly edges: readonly EdgeRecord[] }

/** Arbitraries of what stores hold and are asked. */
export type Arbitraries = {
  /** Mostly of nine ids, so that they meet; among them are some that text or doubles would put in another order. */
  readonly id: Arbitrary<NodeId>
  /** An edge name, type, field name or digest; mostly ordinary, at times what joins and escapes get wrong. */
  readonly name: Arbitrary<string>
  /** Mostly of five times, so that they tie; at times any there is. */
  readonly time: Arbitrary<number>
  /** Fields of a node or data of an edge: no member is null, though what is within one may be. */
  readonly fields: Arbitrary<JsonObject>
  readonly node: Arbitrary<NodeRecord>
  readonly edge: Arbitrary<EdgeRecord>
  readonly token: Arbitrary<TokenRecord>
  readonly position: Arbitrary<EdgePosition>
  readonly range: Arbitrary<EdgeRange>
  readonly wave: Arbitrary<Wave>
  /** May be one that a store refuses, such as an edge whose end is missing. */
  readonly mutation: Arbitrary<Mutation>
  /** Up to six nodes and twelve edges. */
  readonly graph: Arbitrary<SmallGraph>
}

const IDS = ['1', '2', '9', '10', '11', '100', '9007199254740992', '9007199254740993', '9223372036854775807']
const NAMES = ['likes', 'friends', 'a:b', '1', '__proto__', '\u0000', '😀']
const TIMES = [0, 1, 2, 3, -1]
const LARGEST_ID = 2n ** 63n - 1n
const LARGEST_TIME = 8.64e15

/** The values that records are made of. */
const createValues = (fc: FastCheck) => {
  const id = fc.oneof(
    { weight: 19, arbitrary: fc.constantFrom(...IDS) },
    { weight: 1, arbitrary: fc.bigInt(1n, LARGEST_ID).map(String) },
  )
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
  const inner = fc.option(scalar)
  const list = fc.array(inner, { maxLength: 2 })
  const object = fc.dictionary(text, inner, { maxKeys: 2, noNullPrototype: true })
  const json: Arbitrary<JsonValue> = fc.oneof({ weight: 3, arbitrary: scalar }, list, object)
  const members = <T>(value: Arbitrary<T>) =>
    fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true })
  return { id, name, time, fields: members(json), patch: members(fc.option(json)) }
}

/** What a store keeps. */
const createRecords = (fc: FastCheck) => {
  const { id, name, time, fields } = createValues(fc)
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

const createMutation = (fc: FastCheck): Arbitrary<Mutation> => {
  const { id, name, patch } = createValues(fc)
  const { node, edge, token } = createRecords(fc)
  const test: Arbitrary<EdgeTest> = fc.record({ source: id, name, target: id })
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ op: fc.constant('putEdge'), edge }) },
    { weight: 4, arbitrary: fc.record({ op: fc.constant('putNode'), node }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('patchNode'), id, fields: patch }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('deleteNode'), id }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('deleteEdge'), edge: test }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('putToken'), digest: name, token }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('deleteToken'), digest: name }) },
  )
}

/** What a store is asked. */
const createQuestions = (fc: FastCheck) => {
  const { id, name, time } = createValues(fc)
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
  const few = <T>(asked: Arbitrary<T>) => fc.array(asked, { maxLength: 4 })
  const wave: Arbitrary<Wave> = fc.record({
    nodes: few(id),
    ranges: few(range),
    tests: few(fc.record({ source: id, name, target: id })),
    tokens: few(name),
  })
  return { position, range, wave }
}

const MOST_NODES = 6
const MOST_EDGES = 12

const createGraph = (fc: FastCheck): Arbitrary<SmallGraph> => {
  const { node, edge } = createRecords(fc)
  return fc
    .uniqueArray(node, { maxLength: MOST_NODES, selector: ({ id }) => id })
    .chain((nodes): Arbitrary<SmallGraph> => {
      if (nodes.length === 0) return fc.constant({ nodes, edges: [] })
      const end = fc.constantFrom(...nodes.map(({ id }) => id))
      const edges = fc.uniqueArray(
        fc.tuple(edge, end, end).map(([edge, source, target]) => ({ ...edge, source, target })),
        {
          maxLength: MOST_EDGES,
          selector: ({ source, name, target }) => JSON.stringify([source, name, target]),
        },
      )
      return edges.map(edges => ({ nodes, edges }))
    })
}

/**
 * Makes arbitraries for property tests of stores and of what works on them. They shrink towards id 1, the name `likes`,
 * time 0 and empty records.
 *
 * @example
 * ```ts
 * import fc from 'fast-check'
 * import { arbitraries, createModelStore } from 'kithgraph/testing'
 *
 * const { node } = arbitraries(fc)
 * const options = { signal: undefined, deadline: undefined, atLeast: undefined }
 * await fc.assert(
 *   fc.asyncProperty(node, async node => {
 *     const store = createModelStore()
 *     await store.write([{ op: 'putNode', node }], options)
 *     const { nodes } = await store.read({ nodes: [node.id], ranges: [], tests: [], tokens: [] }, options)
 *     return nodes[0]?.type === node.type
 *   }),
 * )
 * ```
 */
export const arbitraries = (fc: FastCheck): Arbitraries => {
  const { id, name, time, fields } = createValues(fc)
  return {
    id,
    name,
    time,
    fields,
    ...createRecords(fc),
    ...createQuestions(fc),
    mutation: createMutation(fc),
    graph: createGraph(fc),
  }
}
