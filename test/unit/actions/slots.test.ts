import { createGraph, defineSchema, edge, field, fieldEquals, node } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { MAX_EDGES_WITHOUT_SLOT } from '../../helpers/long-lists.ts'

/** More than the slots that calls of one viewer get at the same time. */
const CALL_COUNT = 3

const schema = defineSchema(
  {
    shelf: node({ edges: { things: edge('thing') } }),
    thing: node({ policy: [fieldEquals('open', true)], fields: { open: field.bool() } }),
  },
  { viewers: ['shelf'] },
)

describe('the slots of long reads', () => {
  it('are free again while the actions that made the reads go on', async () => {
    let readCount = 0
    let finishAll: () => void = () => undefined
    const allHaveRead = new Promise<void>(resolve => {
      finishAll = resolve
    })
    const actions = [
      actionsOf(schema)('shelf', 'count', {
        policy: 'anyone',
        returns: 'shelf',
        run: async ({ graph, session, source }) => {
          await graph.getEdge(session, { type: 'shelf', id: source.id, edge: 'things' })
          if (++readCount === CALL_COUNT) finishAll()
          await allHaveRead
          return { id: source.id }
        },
      }),
    ]
    const store = createMemoryStore()
    const things = Array.from({ length: 2 * MAX_EDGES_WITHOUT_SLOT }, (_, index) => `${100_000 + index}`)
    const mutations = things.flatMap((id, time): StoreMutation[] => [
      { op: 'putNode', node: { id, type: 'thing', fields: {} } },
      { op: 'putEdge', edge: { source: '1', name: 'things', target: id, time } },
    ])
    await store.write([{ op: 'putNode', node: { id: '1', type: 'shelf', fields: {} } }, ...mutations], {
      signal: undefined,
    })
    const graph = createGraph(store, { schema, actions, limits: { actionTimeoutMs: 5000 } })
    const session = graph.session({ viewer: '1', app: 'demo' })
    const call = { type: 'shelf', id: 'me', action: 'count', fields: 'things{open}' } as const
    const results = await Promise.all(
      Array.from({ length: CALL_COUNT }, () => graph.callAction(session, call)),
    )
    expect([readCount, results.map(({ id }) => id)]).toEqual([CALL_COUNT, ['1', '1', '1']])
  })
})
