import { collection, defineSchema, node } from 'kithgraph'
import { describe, expect, it, vi } from 'vitest'
import { collectEntries } from '../../../src/check/collect.ts'
import type { Store } from '../../../src/store/contract.ts'
import { EMPTY_PAGE, type InspectionPage, type StoreInspector } from '../../../src/store/inspection.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../../src/store/requests.ts'
import { createMemoryStore } from '../../../src/stores/memory/index.ts'

const schema = defineSchema(
  { event: node({}), person: node({}), comment: node({}) },
  { collections: { events: collection('event'), people: collection('person') } },
)

const createInspector = (pages: readonly InspectionPage[]): StoreInspector => ({
  scan: async function* () {
    yield* pages
  },
  readNodes: () => [],
  readEdges: () => [],
  readMirror: () => undefined,
  repair: () => false,
  close: () => undefined,
})

const eventNodes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, type: 'event', fields: {} }))
const createPage = (nodes: InspectionPage['nodes']): InspectionPage => ({ ...EMPTY_PAGE, nodes })

const SINK = { onProgress: () => {}, onUnordered: () => {}, onDamaged: () => {} }

/** Creates a store that keeps its batches. The batches with the given numbers fail. */
const createRecordingStore = (failingBatches: readonly number[]) => {
  const batches: (readonly StoreMutation[])[] = []
  let attempts = 0
  const store: Store = {
    ...createMemoryStore(),
    write: mutations => {
      if (failingBatches.includes(++attempts)) throw new Error('the connection is lost')
      batches.push(mutations)
      return { revision: undefined }
    },
  }
  return { store, batches, countAttempts: () => attempts }
}

const withFakeTimers = async <T>(run: () => Promise<T>): Promise<T> => {
  vi.useFakeTimers()
  try {
    const running = run()
    running.catch(() => undefined)
    await vi.runAllTimersAsync()
    return await running
  } finally {
    vi.useRealTimers()
  }
}

describe('collectEntries', () => {
  it('sends the entries of each page in batches of at most 100', async () => {
    const { store, batches } = createRecordingStore([])
    const pages = [createPage(eventNodes(250)), createPage([{ id: '900', type: 'comment', fields: {} }])]
    const counts = await collectEntries(createInspector(pages), store, schema, SINK)
    expect(batches.map(({ length }) => length)).toEqual([100, 100, 50])
    expect(batches[0]?.[0]).toEqual({
      op: 'deriveEntry',
      entry: { source: 'root', name: 'events', target: '1', by: undefined },
    })
    expect(counts).toEqual({ nodes: 251, edges: 0, entries: 250 })
  })

  it('makes the entries of a node as those of its current type, if it is replaced meanwhile', async () => {
    const store = createMemoryStore()
    const put = (type: string) =>
      store.write([
        { op: 'deleteNode', id: '1' },
        { op: 'putNode', node: { id: '1', type, fields: {} } },
      ])
    await store.open()
    await put('event')
    const laterTypes = ['person', 'event', 'person']
    const write: Store['write'] = async (mutations, options) => {
      const type = laterTypes.shift()
      if (type !== undefined) await put(type)
      return store.write(mutations, options)
    }
    const readNodes: StoreInspector['readNodes'] = async ids =>
      (await store.read({ ...EMPTY_REQUEST, nodes: ids }, UNTIMED_OPTIONS)).nodes
    const inspector = createInspector([createPage(eventNodes(1))])
    await collectEntries({ ...inspector, readNodes }, { ...store, write }, schema, SINK)
    const count = async (name: string) => {
      const range = { source: 'root', name, direction: 'oldest', limit: 10, count: true } as const
      const bounds = { from: undefined, minTime: undefined, maxTime: undefined }
      return (await store.read({ ...EMPTY_REQUEST, ranges: [{ ...range, ...bounds }] }, UNTIMED_OPTIONS))
        .ranges[0]?.total
    }
    expect({ events: await count('events'), people: await count('people') }).toEqual({ events: 0, people: 1 })
  })

  it('writes a batch again that failed, at most five times', async () => {
    const { store, batches } = createRecordingStore([1, 2, 3, 4])
    await withFakeTimers(() =>
      collectEntries(createInspector([createPage(eventNodes(1))]), store, schema, SINK),
    )
    expect(batches).toHaveLength(1)
  })

  it('throws the error of a batch that failed five times', async () => {
    const { store, countAttempts } = createRecordingStore([1, 2, 3, 4, 5])
    const collecting = withFakeTimers(() =>
      collectEntries(createInspector([createPage(eventNodes(1))]), store, schema, SINK),
    )
    await expect(collecting).rejects.toThrow('the connection is lost')
    expect(countAttempts()).toBe(5)
  })

  it('does not try again after its signal has aborted', async () => {
    const interruption = new AbortController()
    const { store, countAttempts } = createRecordingStore([1, 2])
    const write: Store['write'] = (mutations, options) => {
      interruption.abort(new Error('interrupted'))
      return store.write(mutations, options)
    }
    const inspector = createInspector([createPage(eventNodes(1))])
    const collecting = collectEntries(inspector, { ...store, write }, schema, SINK, interruption.signal)
    await expect(collecting).rejects.toThrow('interrupted')
    expect(countAttempts()).toBe(1)
  })
})
