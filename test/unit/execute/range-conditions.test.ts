import {
  createGraph,
  defineSchema,
  edge,
  field,
  fieldEquals,
  isViewer,
  type LimitOptions,
  node,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { createPushingStore } from '../../helpers/pushing-store.ts'
import { overrideScan } from '../../helpers/scan-overrides.ts'

const note = node({ policy: [fieldEquals('open', true)], fields: { open: field.bool() } })
const edges = { notes: edge('note') }
const schema = defineSchema({ user: node({ policy: [isViewer()], edges }), note }, { viewers: ['user'] })
const openUsers = defineSchema({ user: node({ edges }), note }, { viewers: ['user'] })

const HIDDEN_NOTES = 4000

/** Opens a graph of two people with many hidden notes, of which each has one that is visible, the oldest. */
const openGraph = async () => {
  const store = createPushingStore(createMemoryStore(), { counts: true })
  await store.write(
    ['1', '2'].flatMap((user): StoreMutation[] => [
      { op: 'putNode', node: { id: user, type: 'user', fields: {} } },
      ...Array.from({ length: HIDDEN_NOTES + 1 }, (_, index): StoreMutation[] => {
        const id = `${user}${index + 10_000}`
        return [
          { op: 'putNode', node: { id, type: 'note', fields: { open: index === 0 } } },
          { op: 'putEdge', edge: { source: user, name: 'notes', target: id, time: index } },
        ]
      }).flat(),
    ]),
    { signal: undefined },
  )
  const graph = createGraph(store, { schema })
  return { graph, session: graph.session({ viewer: '1', app: 'demo' }), requests: store.requests }
}

describe('a list that is read together with its source', () => {
  it('is examined no further than 2,500 rows before the source is known to be visible', async () => {
    const { graph, session, requests } = await openGraph()
    const maxRowsOf = async (call: () => Promise<unknown>): Promise<readonly number[]> => {
      const start = requests.length
      await call().catch(() => undefined)
      return requests
        .slice(start)
        .map(({ ranges }) => ranges.reduce((sum, { maxExamined = 0 }) => sum + maxExamined, 0))
    }
    const read = (id: string) => graph.getEdge(session, { id, edge: 'notes', fields: 'id' })
    expect(await maxRowsOf(() => read('2'))).toEqual([2500])
    expect(await maxRowsOf(() => read('3'))).toEqual([2500])
    const several = { ids: ['1', '2', '3', '4'], edge: 'notes', fields: 'id', partial: true } as const
    expect((await maxRowsOf(() => graph.getEdges(session, several)))[0]).toBe(2500)
  })

  it('is continued if the source is visible', async () => {
    const { graph, session } = await openGraph()
    const page = await graph.getEdge(session, { id: '1', edge: 'notes', fields: 'id' })
    expect(page.data).toEqual([{ id: '110000' }])
  })
})

describe('the counts of several lists', () => {
  /** Opens a graph of the viewer and a friend, with 40 notes of the viewer and one of the friend. */
  const openShortLists = async (limits: LimitOptions) => {
    const store = createPushingStore(createMemoryStore(), { counts: true })
    const graph = createGraph(store, { schema: openUsers, limits })
    await graph.write(
      ['1', '2'].map(id => ({ op: 'putNode', node: { id, type: 'user', fields: {} } }) as const),
    )
    const owners = [...Array.from({ length: 40 }, () => '1'), '2']
    await graph.write(
      owners.flatMap((source, index) => {
        const id = `${index + 100}`
        return [
          { op: 'putNode', node: { id, type: 'note', fields: { open: true } } },
          { op: 'putEdge', edge: { source, name: 'notes', target: id, time: index } },
        ] as const
      }),
    )
    overrideScan(graph, { drawUniform: () => 0 })
    return { graph, session: graph.session({ viewer: '1', app: 'demo' }) }
  }

  it('do not depend on how the rows that a read may examine are divided between them', async () => {
    // Two edges are 64 rows: enough for both lists, but 40 rows are more than half of them.
    const { graph, session } = await openShortLists({ scan: 2 })
    const options = { ids: ['1', '2'], edge: 'notes', limit: 1, summary: true, fields: 'id' } as const
    const found = await graph.getEdges(session, options)
    expect(Object.values(found).map(({ summary }) => summary?.total_count)).toEqual([40, 1])
  })

  it('exceed the scan limit if the lists have more rows', async () => {
    const { graph, session } = await openShortLists({ scan: 1 })
    const options = { ids: ['1', '2'], edge: 'notes', limit: 1, summary: true, fields: 'id' } as const
    await expect(graph.getEdges(session, options)).rejects.toMatchObject({ reason: 'query_too_expensive' })
  })
})

describe('a store that cannot evaluate conditions', () => {
  /** Returns how many reads fill a page of a long list, most of whose entries are hidden. */
  const countReads = async (conditions: boolean): Promise<number> => {
    const store = createMemoryStore()
    let readCount = 0
    const ignoring = delegateStore(store, {
      capabilities: { ...store.capabilities, conditions },
      read(request, options) {
        readCount++
        return store.read(request, options)
      },
    })
    const graph = createGraph(ignoring, { schema: openUsers })
    await graph.write([
      { op: 'putNode', node: { id: '1', type: 'user', fields: {} } },
      ...Array.from({ length: 1000 }, (_, index) => {
        const id = `${index + 100}`
        return [
          { op: 'putNode', node: { id, type: 'note', fields: { open: index % 100 === 0 } } },
          { op: 'putEdge', edge: { source: '1', name: 'notes', target: id, time: index } },
        ] as const
      }).flat(),
    ])
    const session = graph.session({ viewer: '1', app: 'demo' })
    readCount = 0
    const page = await graph.getEdge(session, { id: '1', edge: 'notes', limit: 5, fields: 'id' })
    expect(page.data).toHaveLength(5)
    return readCount
  }

  it('is read as often as one that receives none', async () => {
    expect(await countReads(true)).toBe(await countReads(false))
  })
})
