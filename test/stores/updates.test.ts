import { createGraph } from 'kithgraph'
import { update, updateEdge } from 'kithgraph/update'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { availableEngines, type StoreEngine } from '../helpers/store-engines.ts'
import { expectGraphError } from '../unit/abuse/expect-graph-error.ts'
import { schema } from '../unit/update/updated-graph.ts'

const ADA = { type: 'person', id: '1' } as const
const KNOWS = { source: '1', name: 'knows', target: '2' } as const

const isLong = process.env.KITHGRAPH_LONG !== undefined
// Servers take seconds to start.
const kinds = availableEngines('updates', { every: isLong }).filter(
  ({ name }) => isLong || name === 'better-sqlite3',
)

describe.each(kinds)('updates on $name', ({ start }) => {
  let engine: StoreEngine
  beforeAll(async () => {
    engine = await start()
  })
  afterAll(() => engine?.stop())

  const createPeople = async () => {
    const graph = createGraph(engine.create(), { schema, secret: 'the secret of this test' })
    await graph.write([
      { op: 'putNode', node: { ...ADA, fields: { name: 'Ada', tags: [], seen: new Date(5), scores: {} } } },
      { op: 'putNode', node: { id: '2', type: 'person', fields: { name: 'Grace' } } },
    ])
    await graph.write([
      { op: 'putEdge', edge: { ...KNOWS, time: '2014-08-04', data: { kind: 'friend', notes: [] } } },
    ])
    return graph
  }

  it('of one node at the same time are all applied, and keep empty arrays and objects', async () => {
    await using graph = await createPeople()
    const names = ['a', 'b', 'c']
    await Promise.all(names.map(name => update(graph, ADA, draft => void draft.tags?.push(name))))
    await update(graph, ADA, draft => {
      draft.home = { street: 'x', floors: [] }
    })
    const session = graph.session({ viewer: '1', app: 'demo' })
    const me = await graph.getMe(session, { fields: 'tags,scores,home' })
    expect({ ...me, tags: me.tags?.toSorted() }).toEqual({
      tags: names,
      scores: {},
      home: { street: 'x', floors: [] },
      id: '1',
    })
  })

  it('of both sides of a symmetric edge at the same time are all applied, and keep its time', async () => {
    await using graph = await createPeople()
    const sides = [KNOWS, { source: '2', name: 'knows', target: '1' }] as const
    await Promise.all(
      sides.map(side => updateEdge(graph, side, draft => void draft.notes?.push(side.source))),
    )
    const session = graph.session({ viewer: '1', app: 'demo' })
    for (const { source } of sides) {
      const list = { id: source, type: 'person', edge: 'knows', fields: 'kind,notes,since' } as const
      const [entry] = (await graph.getEdge(session, list)).data
      expect({ ...entry, notes: entry?.notes?.toSorted() }).toMatchObject({
        kind: 'friend',
        notes: ['1', '2'],
        since: '2014-08-04T00:00:00+0000',
      })
    }
  })

  it('of a missing node or edge are rejected', async () => {
    await using graph = await createPeople()
    const missingNode = await expectGraphError(update(graph, { ...ADA, id: '3' }, () => undefined))
    const missingEdge = await expectGraphError(updateEdge(graph, { ...KNOWS, target: '1' }, () => undefined))
    expect([missingNode.data.path, missingEdge.data.path]).toEqual(['id', 'edge.target'])
  })
})
