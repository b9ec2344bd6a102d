import {
  createGraph,
  defineSchema,
  type EdgeType,
  edge,
  field,
  fieldEquals,
  type GraphEvent,
  isGraphError,
  node,
  type Store,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { createHandler } from '../../../src/http/index.ts'
import type { CountKind } from '../../../src/schema/edge.ts'
import type { EdgeRange } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { callUntyped } from '../abuse/expect-graph-error.ts'

const withCount = (kind: CountKind): EdgeType => Object.freeze({ ...edge('item'), count: { kind } })

const defineWith = (kind: CountKind, isUnderPolicy = false) =>
  defineSchema(
    {
      item: node({
        fields: { hidden: field.bool() },
        edges: { likes: withCount(kind) },
        ...(isUnderPolicy && { policy: [fieldEquals('hidden', false)] }),
      }),
    },
    { viewers: ['item'] },
  )

/** The number of entries that a capped store counts. */
const CAP = 4

/** A store that counts up to a cap, or up to the number of rows that a range allows. It records the ranges. */
const createCountingStore = (kind: CountKind): { readonly store: Store; readonly ranges: EdgeRange[] } => {
  const memory = createMemoryStore()
  const ranges: EdgeRange[] = []
  const store = delegateStore(memory, {
    async read(request, options) {
      ranges.push(...request.ranges)
      const result = await memory.read(request, options)
      return {
        ...result,
        ranges: result.ranges.map((range, index) => {
          const max = kind === 'exact' ? (request.ranges[index]?.maxCounted ?? 0) : CAP
          return range.total !== undefined && range.total > max ? { ...range, total: undefined } : range
        }),
      }
    },
  })
  return { store, ranges }
}

type Options = {
  readonly kind: CountKind
  readonly count: number
  readonly scan?: number
  readonly isUnderPolicy?: boolean
}

/** Opens a graph with a list of `count` entries at the nodes 1 and 2. */
const open = async ({ kind, count, scan = 100, isUnderPolicy }: Options) => {
  const { store, ranges } = createCountingStore(kind)
  const events: GraphEvent[] = []
  const schema = defineWith(kind, isUnderPolicy)
  const ids = Array.from({ length: count }, (_, index) => `${index + 10}`)
  await store.write(
    [
      ...['1', '2', ...ids].map(
        id => ({ op: 'putNode', node: { id, type: 'item', fields: { hidden: false } } }) as const,
      ),
      ...['1', '2'].flatMap(source =>
        ids.map(
          (target, time) => ({ op: 'putEdge', edge: { source, name: 'likes', target, time } }) as const,
        ),
      ),
    ],
    { signal: undefined },
  )
  const graph = createGraph(store, { schema, limits: { scan }, onEvent: event => void events.push(event) })
  const session = graph.session({ viewer: '1', app: 'tests' })
  const call = (options: object) =>
    callUntyped(graph.getEdge, session, {
      ...{ id: '1', type: 'item', edge: 'likes', fields: 'id', limit: 1, summary: true },
      ...options,
    })
  return { graph, session, ranges, events, call }
}

const summaryOf = (page: unknown): unknown => Object.assign({ summary: undefined }, page).summary
const ORDER = 'reverse_chronological'

const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => isGraphError(error) && error.reason,
  )

describe('a list that is counted up to a number of rows', () => {
  it('has a count up to that number, and a longer list has a summary without a count', async () => {
    expect(summaryOf(await (await open({ kind: 'capped', count: CAP })).call({}))).toEqual({
      order: ORDER,
      total_count: CAP,
    })
    const { graph, session, call } = await open({ kind: 'capped', count: CAP + 1 })
    expect(summaryOf(await call({}))).toEqual({ order: ORDER })
    expect(summaryOf(await call({ limit: 0 }))).toEqual({ order: ORDER })
    expect(summaryOf(await call({ summary: false }))).toBeUndefined()
    const below = await callUntyped(graph.getMe, session, { fields: 'likes.limit(1).summary(true){id}' })
    expect(below).toMatchObject({ likes: { summary: { order: ORDER } } })
  })

  it('has the same summary over HTTP', async () => {
    const { graph, call } = await open({ kind: 'capped', count: CAP + 1 })
    const token = await graph.tokens.issue({ viewer: '1', app: 'tests' })
    const { body } = await createHandler(graph).respond({
      method: 'GET',
      url: '/1/likes?fields=id&limit=1&summary=true',
      headers: { authorization: `Bearer ${token}` },
    })
    const inProcess = Object.assign({ data: [], summary: {} }, await call({}))
    expect(JSON.parse(`${body}`)).toMatchObject({ data: inProcess.data, summary: inProcess.summary })
  })

  it('is counted exactly under a policy, as every list', async () => {
    const { call } = await open({ kind: 'capped', count: CAP + 3, isUnderPolicy: true })
    expect(summaryOf(await call({}))).toEqual({ order: ORDER, total_count: CAP + 3 })
  })

  it('costs as much as a list with a stored count', async () => {
    const costs = (kind: CountKind) =>
      createGraph(createMemoryStore(), { schema: defineWith(kind) }).explain({
        type: 'item',
        fields: 'likes.limit(5).summary(true)',
      }).cost
    expect(costs('capped')).toBe(costs('stored'))
    expect(costs('exact')).toBe(costs('stored') + 100)
  })
})

describe('a list that is counted row by row', () => {
  it('has a count, and each row counts as a part of an examined edge', async () => {
    const { call, events, ranges } = await open({ kind: 'exact', count: 40 })
    expect(summaryOf(await call({}))).toEqual({ order: ORDER, total_count: 40 })
    expect(events.at(-1)).toMatchObject({ examined: [{ type: 'item', edge: 'likes', edges: 2 }] })
    // The drawn limit is between 100 and 200 edges.
    expect(ranges.at(-1)?.maxCounted).toBeGreaterThanOrEqual(100 * 32)
    expect(ranges.at(-1)?.maxCounted).toBeLessThanOrEqual(200 * 32)
  })

  it('is not counted without a summary', async () => {
    const { call, ranges, events } = await open({ kind: 'exact', count: 40 })
    await call({ summary: false })
    expect(ranges.at(-1)?.maxCounted).toBeUndefined()
    expect(events.at(-1)).toMatchObject({ examined: [] })
  })

  it('fails the call if it has more rows than the drawn limit allows, as a count under a policy', async () => {
    const { call, graph, session, events } = await open({ kind: 'exact', count: 65, scan: 1 })
    const below = () => callUntyped(graph.getMe, session, { fields: 'likes.limit(1).summary(true){id}' })
    expect(await reasonOf(call({}))).toBe('query_too_expensive')
    expect(events.at(-1)).toMatchObject({ examined: [{ type: 'item', edge: 'likes' }] })
    expect(await reasonOf(call({ limit: 0 }))).toBe('query_too_expensive')
    expect(await reasonOf(below())).toBe('query_too_expensive')
    expect(await reasonOf(call({ summary: false }))).toBeUndefined()
  })

  it('shares the rows with the other lists of a read', async () => {
    const { graph, session, ranges } = await open({ kind: 'exact', count: 3 })
    const ids = ['1', '2']
    await callUntyped(graph.getEdges, session, {
      ids,
      edge: 'likes',
      type: 'item',
      fields: 'id',
      summary: true,
    })
    const [first, second] = ranges.slice(-2).map(({ maxCounted }) => maxCounted)
    expect(first).toBe(second)
    expect(first).toBeLessThanOrEqual(100 * 32)
  })

  it('keeps the rule of lists under a policy', async () => {
    const { call } = await open({ kind: 'exact', count: 12, isUnderPolicy: true })
    expect(summaryOf(await call({}))).toEqual({ order: ORDER, total_count: 12 })
    const limited = await open({ kind: 'exact', count: 12, scan: 3, isUnderPolicy: true })
    expect(await reasonOf(limited.call({}))).toBe('query_too_expensive')
  })

  it('adds the drawn limit to the edges that explain expects', () => {
    const examined = (kind: CountKind) =>
      createGraph(createMemoryStore(), { schema: defineWith(kind), limits: { scan: 100 } }).explain({
        type: 'item',
        fields: 'likes.limit(5){likes.limit(5).summary(true)}',
      }).edgesExamined
    expect(examined('exact')).toBe(examined('stored') + 200)
  })
})

it('a list that is always counted fails the call if the store does not count it', async () => {
  const { call } = await open({ kind: 'stored', count: CAP + 1 })
  expect(await reasonOf(call({}))).toBe('store_error')
  expect(await reasonOf(call({ summary: false }))).toBeUndefined()
})
