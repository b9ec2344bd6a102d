import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addViewer, openCountedFeed, publish, readFeed } from '../helpers/counted-feed.ts'
import { availableEngines, type StoreEngine } from '../helpers/store-engines.ts'

const CALLS = 100

describe.each(availableEngines('actions', { every: true }))('actions on $name', ({ start }) => {
  let engine: StoreEngine
  beforeAll(async () => {
    engine = await start()
  }, 60_000)
  afterAll(() => engine?.stop())

  it('write once if one key is called 100 times at once, and once more for another key', async () => {
    await using graph = openCountedFeed(engine.create())
    await addViewer(graph)
    const results = await Promise.all(Array.from({ length: CALLS }, () => publish(graph, 'key')))
    expect(new Set(results).size).toBe(1)
    const other = await publish(graph, 'another key')
    const { feed, posts } = await readFeed(graph)
    expect([feed.toSorted(), posts]).toEqual([[...new Set(results), other].toSorted(), 2])
  }, 60_000)

  it('write once if the reply is lost and the call is repeated with its key', async () => {
    const store = engine.create()
    await using graph = openCountedFeed(store)
    await addViewer(graph)
    // A graph of another process, whose reply is lost.
    const first = await publish(openCountedFeed({ ...store, close: async () => undefined }), 'key')
    expect(await publish(graph, 'key')).toBe(first)
    expect(await readFeed(graph)).toEqual({ feed: [first], posts: 1 })
  }, 60_000)
})
