import { createGraph, defineSchema, edge, field, fieldEquals, isViewer, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { createPushingStore } from '../../helpers/pushing-store.ts'

const schema = defineSchema(
  {
    user: node({ policy: [isViewer()], edges: { notes: edge('note') } }),
    note: node({ policy: [fieldEquals('open', true)], fields: { open: field.bool() } }),
  },
  { viewers: ['user'] },
)

const HIDDEN_NOTES = 4000

/** Opens a graph of two people with many hidden notes, of which each has one that is visible, the oldest. */
const openGraph = async () => {
  const store = createPushingStore(createMemoryStore())
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
