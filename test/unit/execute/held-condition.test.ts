import { createGraph, defineSchema, edge, field, fieldEquals, node, viewerHasEdge } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { EdgeEntry, Store, StoreReadRequest } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { createPushingStore } from '../../helpers/pushing-store.ts'

const OWNER = '2'
const note = { fields: { open: field.bool(), owner: field.ref('user') } }
const createSchema = (hasData: boolean) =>
  defineSchema(
    {
      user: node({
        edges: { notes: edge('note'), friends: edge('user', { fields: { close: field.bool() } }) },
      }),
      note: node({
        ...note,
        policy: hasData
          ? [viewerHasEdge('friends', { of: 'owner', where: { close: true } })]
          : [fieldEquals('open', true), viewerHasEdge('friends', { of: 'owner' })],
      }),
    },
    { viewers: ['user'] },
  )

/** Reads a note that is not open, of a friend, from a store that reports a condition for each entry. */
const readNotes = async (report: (entry: EdgeEntry) => number | undefined, hasData = false) => {
  const requests: StoreReadRequest[] = []
  const inner = createPushingStore(createMemoryStore())
  const store: Store = delegateStore(inner, {
    read: async (request, options) => {
      requests.push(request)
      const result = await inner.read(request, options)
      const ranges = result.ranges.map(range => ({
        ...range,
        entries: range.entries.map(entry => ({
          ...entry,
          node: { ...entry.node, heldCondition: report(entry) },
        })),
      }))
      return { ...result, ranges }
    },
  })
  const graph = createGraph(store, { schema: createSchema(hasData) })
  await graph.write([
    ...['1', OWNER].map(id => ({ op: 'putNode', node: { id, type: 'user', fields: {} } }) as const),
    { op: 'putEdge', edge: { source: '1', name: 'friends', target: OWNER, data: { close: true } } },
    { op: 'putNode', node: { id: '10', type: 'note', fields: { open: false, owner: OWNER } } },
    { op: 'putEdge', edge: { source: OWNER, name: 'notes', target: '10' } },
  ])
  const session = graph.session({ viewer: '1', app: 'demo' })
  requests.length = 0
  const { data } = await graph.getEdge(session, { id: OWNER, type: 'user', edge: 'notes', fields: 'id' })
  return { ids: data.map(({ id }) => id), checkCount: requests.flatMap(({ checks }) => checks).length }
}

describe('the condition that a store reports for a record', () => {
  it('decides a rule about an edge without a check', async () => {
    const { ids, checkCount } = await readNotes(({ node: { heldCondition } }) => heldCondition)
    expect(ids).toEqual(['10'])
    expect(checkCount).toBe(0)
  })

  it('says that no edge of the conditions exists if none holds', async () => {
    expect(await readNotes(() => -1)).toEqual({ ids: [], checkCount: 0 })
  })

  it('decides no rule about a field of the record, and no rule after it', async () => {
    expect(await readNotes(() => 0)).toEqual({ ids: ['10'], checkCount: 1 })
  })

  it('decides no rule about the data of an edge', async () => {
    expect(await readNotes(() => -1, true)).toEqual({ ids: ['10'], checkCount: 1 })
  })

  it('may be left out, and the edge is then checked', async () => {
    expect(await readNotes(() => undefined)).toEqual({ ids: ['10'], checkCount: 1 })
  })
})
