import { canSee, createGraph, defineSchema, edge, field, hasEdgeToViewer, node } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { EMPTY_READ_RESULT } from '../../src/core/batching.ts'
import { evaluatePolicies, PolicyEvaluator } from '../../src/policy/policy-evaluator.ts'
import { Registry } from '../../src/schema/registry.ts'
import type { StoreReader } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { callUntyped, expectGraphError } from '../unit/abuse/expect-graph-error.ts'

const PHOTOS = 100
const LIKES = 60
/** The number of entries that the executor reads at a time. */
const PART = 2000
/**
 * Milliseconds: far more than one uninterrupted part of the work takes on a busy machine, and far less than a
 * whole call takes.
 */
const MAX_HOLD_MS = 500

const schema = defineSchema(
  {
    person: node({ fields: { name: field.string() }, edges: { photos: edge('photo') } }),
    photo: node({
      fields: {
        name: field.string(),
        images: field.list(field.object({ url: field.url(), width: field.int() })),
      },
      edges: { likes: edge('person') },
    }),
  },
  { viewers: ['person'] },
)

const personId = (index: number): string => `${1000 + index}`
const photoId = (index: number): string => `${5000 + index}`
const VIEWER = personId(0)
const images = Array.from({ length: 10 }, (_, width) => ({ url: 'https://images.example/1.jpg', width }))

function* generateCrowd(): Generator<StoreMutation> {
  for (let index = 0; index < LIKES; index++)
    yield {
      op: 'putNode',
      node: { id: personId(index), type: 'person', fields: { name: `Person ${index}` } },
    }
  for (let index = 0; index < PHOTOS; index++) {
    const id = photoId(index)
    yield { op: 'putNode', node: { id, type: 'photo', fields: { name: `Photo ${index}`, images } } }
    yield { op: 'putEdge', edge: { source: VIEWER, name: 'photos', target: id, time: index } }
    for (let liker = 0; liker < LIKES; liker++)
      yield { op: 'putEdge', edge: { source: id, name: 'likes', target: personId(liker), time: liker } }
  }
}

const aliases = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(',')

const MANY_NODES = `photos.limit(${PHOTOS}){name,likes.limit(${LIKES}){${aliases(20, index => `name.as(n${index})`)}}}`
const MANY_LISTS = `photos.limit(${PHOTOS}){${aliases(95, index => `likes.as(l${index}).limit(1){id}`)}}`
const MANY_VALUES = `photos.limit(${PHOTOS}){${aliases(45, index => `images.as(i${index}){url,width}`)}}`

const open = async (consistency: 'read' | 'snapshot' = 'read') => {
  const memory = createMemoryStore()
  await memory.write([...generateCrowd()], { signal: undefined })
  /** The sizes of the store reads: nodes, checks and the limits of ranges. */
  const sizes: number[] = []
  const recordSizes =
    (reader: StoreReader): StoreReader['read'] =>
    (request, options) => {
      sizes.push(
        request.nodes.length +
          request.checks.length +
          request.ranges.reduce((sum, { limit }) => sum + limit, 0),
      )
      return reader.read(request, options)
    }
  const recordingStore = delegateStore(memory, {
    read: recordSizes(memory),
    snapshot: async () => {
      const snapshot = await memory.snapshot()
      return { read: recordSizes(snapshot), close: () => snapshot.close() }
    },
  })
  const store = countReads(recordingStore)
  const graph = createGraph(store, { schema, consistency })
  const viewer = graph.session({ viewer: VIEWER, app: 'tests', scopes: [] })
  const read = (fields: string, call: object = {}) => callUntyped(graph.getMe, viewer, { fields, ...call })
  return { graph, store, sizes, read }
}

/**
 * Returns the number of turns of the event loop while some work runs, and the longest time between two turns
 * in milliseconds.
 */
const measureHold = async (work: () => Promise<unknown>) => {
  let turns = 0
  let longest = 0
  let isOver = false
  let last = performance.now()
  const turn = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  return { turns, longest }
}

describe('a call with much to read', () => {
  it('reads in parts of at most 2,000 entries, and the parts of one level count as one read', async () => {
    const { store, sizes, read } = await open()
    await read(MANY_NODES)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(PART)
    expect(sizes.length).toBeGreaterThan(store.reads.length)
    expect(store.reads).toHaveLength(3)
    expect(store.reads.at(-1)?.rows).toBe(PHOTOS * LIKES)
  })

  it('reads in parts from a snapshot of the store too, with the same result', async () => {
    const newest = await open()
    const frozen = await open('snapshot')
    expect(JSON.stringify(await frozen.read(MANY_NODES))).toBe(JSON.stringify(await newest.read(MANY_NODES)))
    expect(Math.max(...frozen.sizes)).toBeLessThanOrEqual(PART)
    expect(frozen.store.reads).toHaveLength(3)
  })

  it.each([MANY_NODES, MANY_LISTS, MANY_VALUES])(
    'lets other tasks run while it reads many nodes, lists or values: case %#',
    async fields => {
      const { read } = await open()
      const { turns, longest } = await measureHold(() => read(fields))
      expect(turns).toBeGreaterThanOrEqual(2)
      expect(longest).toBeLessThan(MAX_HOLD_MS)
    },
  )

  it.each([MANY_NODES, MANY_LISTS, MANY_VALUES])(
    'has the same result over HTTP and in-process for many nodes, lists or values: case %#',
    async fields => {
      const { graph, read } = await open()
      const token = await graph.tokens.issue({ viewer: VIEWER, app: 'tests', scopes: [] })
      const handler = createHandler(graph, { limits: { response: 64 * 2 ** 20 } })
      const body = new URLSearchParams({ fields, method: 'GET', access_token: token }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const { body: text = '' } = await handler.respond({
        method: 'POST',
        url: '/me',
        headers,
        body: new TextEncoder().encode(body),
        signal: undefined,
      })
      const withoutLinks = (_: string, value: unknown): unknown =>
        typeof value === 'string' && value.includes('/likes?')
          ? value.replace(/.*?(?=\/\d+\/likes)/, '')
          : value
      const given: unknown = JSON.parse(text)
      expect(Object.keys(Object(given))).toEqual(['photos', 'id'])
      const stripped = (value: unknown): unknown =>
        JSON.parse(
          JSON.stringify(value, (key, one: unknown) =>
            key === 'paging' ? undefined : withoutLinks(key, one),
          ),
        )
      expect(stripped(given)).toEqual(stripped(await read(fields)))
    },
  )

  it('fails with the reason aborted if its signal is aborted after it starts', async () => {
    const { read } = await open()
    const controller = new AbortController()
    setImmediate(() => controller.abort())
    const error = await expectGraphError(read(MANY_LISTS, { signal: controller.signal }))
    expect(error.reason).toBe('aborted')
  })
})

/** Returns a list that calls `onAccess` for each access to an item. */
const watchItems = <T>(items: readonly T[], onAccess: () => void): readonly T[] =>
  new Proxy(items, {
    get: (list, member) => {
      if (typeof member === 'string' && /^\d+$/.test(member)) onAccess()
      return Reflect.get(list, member)
    },
  })

describe('the policies of many records', () => {
  it('process at most 500 nodes and 500 checks of canSee between two pauses', () => {
    const COUNT = 1500
    const group = node({ policy: [hasEdgeToViewer('members')], edges: { members: edge('person') } })
    const post = node({ policy: [canSee('group')], fields: { group: field.ref('group') } })
    const inheriting = defineSchema({ person: node({}), group, post }, { viewers: ['person'] })
    const viewer = createGraph(createMemoryStore(), { schema: inheriting }).session({
      viewer: '1',
      app: 'tests',
    })
    const evaluator = new PolicyEvaluator(viewer, new Registry(inheriting, undefined), undefined)
    const records = Array.from({ length: COUNT }, (_, index) => ({
      id: `${5000 + index}`,
      type: 'post',
      fields: { group: `${9000 + index}` },
    }))
    let accesses = 0
    let mostAccesses = 0
    const task = evaluatePolicies(
      evaluator,
      records.map(record => ({ policy: post.policy, record })),
    )
    const seen = { nodes: 0, checks: 0 }
    let step = task.next()
    while (!step.done) {
      mostAccesses = Math.max(mostAccesses, accesses)
      accesses = 0
      const { nodes = [], checks = [] } = 'until' in step.value ? {} : step.value
      seen.nodes += nodes.length
      seen.checks += checks.length
      const onAccess = (): void => {
        accesses++
      }
      step = task.next({
        ...EMPTY_READ_RESULT,
        nodes: watchItems(
          nodes.map(id => ({ id, type: 'group', fields: {} })),
          onAccess,
        ),
        checks: watchItems(
          checks.map(() => true),
          onAccess,
        ),
      })
    }
    expect(step.value).toEqual(records.map(() => true))
    expect(seen).toEqual({ nodes: COUNT, checks: COUNT })
    expect(mostAccesses).toBeGreaterThan(0)
    expect(mostAccesses).toBeLessThanOrEqual(500)
  })
})

describe('a call with little to read', () => {
  it('does not yield to the event loop', async () => {
    const { read } = await open()
    let isTurned = false
    setImmediate(() => {
      isTurned = true
    })
    await read('name,photos.limit(10){name,likes.limit(3){name}}')
    expect(isTurned).toBe(false)
  })
})

describe('the items of a batch', () => {
  it('start in separate turns of the event loop', async () => {
    const { graph } = await open()
    const token = await graph.tokens.issue({ viewer: VIEWER, app: 'tests', scopes: [] })
    const handler = createHandler(graph)
    const item = { method: 'GET', relative_url: 'me?fields=photos.limit(20){name,likes.limit(20){name}}' }
    const body = new URLSearchParams({ batch: JSON.stringify(Array(20).fill(item)), access_token: token })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { turns, longest } = await measureHold(async () =>
      handler.respond({
        method: 'POST',
        url: '/',
        headers,
        body: new TextEncoder().encode(body.toString()),
        signal: undefined,
      }),
    )
    expect(turns).toBeGreaterThanOrEqual(20)
    expect(longest).toBeLessThan(MAX_HOLD_MS)
  })
})
