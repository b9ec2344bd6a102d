import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { updateEdge } from 'kithgraph/update'
import { describe, expect, it } from 'vitest'
import type { EdgeRecord } from '../../../src/store/contract.ts'
import { listedSchema } from '../../helpers/listed-schema.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const FRIEND = { source: '1', name: 'friends', target: '2' } as const
const CLOSE = { ...FRIEND, parameters: { close: true } } as const
const EVENT = { source: '1', name: 'events', target: '4' } as const

const createListedGraph = async () => {
  const store = createMemoryStore()
  const graph = createGraph(store, { schema: listedSchema })
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'person', fields: {} } },
    { op: 'putNode', node: { id: '2', type: 'person', fields: {} } },
    { op: 'putNode', node: { id: '4', type: 'event', fields: {} } },
    { op: 'putEdge', edge: { ...FRIEND, time: 5, data: { note: 'school' } } },
    { op: 'putEdge', edge: { ...CLOSE, time: 6, data: { note: 'work' } } },
    { op: 'putEdge', edge: { ...EVENT, time: 7, parameters: { role: 'host', loud: true } } },
  ])
  /** Returns the stored edges as their list, time and data. */
  const edges = () =>
    [...store.dump()]
      .flatMap((line): EdgeRecord[] => JSON.parse(line).edge ?? [])
      .map(({ name, time, data }) => `${name} ${time} ${JSON.stringify(data)}`)
  return { graph, edges }
}

describe('updateEdge of an edge with stored lists', () => {
  it('changes the edge and its mirror in the list that the parameters choose', async () => {
    const { graph, edges } = await createListedGraph()
    await updateEdge(graph, CLOSE, draft => {
      draft.note += '!'
    })
    const party = { ...EVENT, parameters: { role: 'host', loud: true } } as const
    await updateEdge(graph, party, draft => {
      draft.seat = 3
    })
    expect(edges()).toEqual([
      'friends 5 {"note":"school"}',
      'friends_close 6 {"note":"work!"}',
      'events_host_loud 7 {"seat":3}',
      'friends 5 {"note":"school"}',
      'friends_close 6 {"note":"work!"}',
      'loud_host 7 {"seat":3}',
    ])
  })

  it('changes the edge in the list of the default values without parameters', async () => {
    const { graph, edges } = await createListedGraph()
    await updateEdge(graph, FRIEND, draft => {
      draft.note += '!'
    })
    expect(edges().filter(text => text.startsWith('friends'))).toEqual([
      'friends 5 {"note":"school!"}',
      'friends_close 6 {"note":"work"}',
      'friends 5 {"note":"school!"}',
      'friends_close 6 {"note":"work"}',
    ])
  })

  it.each([
    [{ ...EVENT, parameters: { role: 'guest' } }, 'edge.target', 'the target of an existing edge'],
    [{ ...EVENT, parameters: { role: 'gust' } }, 'edge.parameters.role', 'one of "guest", "host"'],
  ])('rejects %j', async (options, path, expected) => {
    const { graph } = await createListedGraph()
    const error = await expectGraphError(callUntyped(updateEdge, graph, options, () => {}))
    expect([error.reason, error.data]).toMatchObject(['invalid_mutation', { path, expected }])
  })

  it('throws a TypeError for the name of a stored list', async () => {
    const { graph } = await createListedGraph()
    const call = callUntyped(updateEdge, graph, { ...EVENT, name: 'events_any' }, () => {})
    await expect(call).rejects.toThrow('updateEdge: "name" must be one of "photos"')
  })

  it('throws a TypeError for parameters that are not an object', async () => {
    const { graph } = await createListedGraph()
    await expect(callUntyped(updateEdge, graph, { ...EVENT, parameters: 5 }, () => {})).rejects.toThrow(
      'updateEdge: "parameters" must be an object; received 5',
    )
  })
})
