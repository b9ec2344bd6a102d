import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { encodePosition } from '../../../src/execute/position-text.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const SIGNATURE = 16
const FANS = ['7', '523', '81', '9000']

const TIME = 1_700_000_000_000

/** A page whose fans are people with app-scoped ids, all of one time: their order is that of their raw ids. */
const openFans = async (app: string) => {
  const schema = defineSchema({
    person: node({ appScoped: true, fields: { name: field.string({ default: true }) } }),
    page: node({ edges: { fans: edge('person') } }),
  })
  const appIds = createAppIds({ secrets: { 1: 'a secret of the people' }, current: 1 })
  const graph = createGraph(createMemoryStore(), { schema, appIds, secret: 'the secret of the cursors' })
  await graph.write([
    { op: 'putNode', node: { id: '100', type: 'page', fields: {} } },
    ...FANS.flatMap(id => [
      { op: 'putNode', node: { id, type: 'person', fields: { name: 'Anonymous' } } } as const,
      { op: 'putEdge', edge: { source: '100', name: 'fans', target: id, time: TIME } } as const,
    ]),
  ])
  const session = graph.session({ app })
  const page = (after?: string) => graph.getEdge(session, { id: '100', edge: 'fans', limit: 1, after })
  const nested = (after: string) =>
    loosely(graph.getNode, session, { id: '100', fields: `fans.limit(1).after(${after})` })
  return { page, nested, idOf: (id: string) => graph.ids.toPublic(id, app) }
}

/** A cursor with another id in it: what would stand behind it tells whether that id is the larger. */
const withId = (cursor: string, id: string): string => {
  const position = encodePosition({ time: TIME, target: id })
  return cursor.slice(0, -SIGNATURE - position.length) + position + cursor.slice(-SIGNATURE)
}

describe('a cursor of people with app-scoped ids', () => {
  it('goes on where it was answered', async () => {
    const { page, idOf } = await openFans('chess')
    const first = await page()
    const second = await page(first.paging?.cursors.after)
    expect([first, second].flatMap(({ data }) => data.map(({ id }) => id))).toEqual(['9000', '523'].map(idOf))
  })

  it('cannot be made for another person: what came behind it would tell whose raw id is the larger', async () => {
    const { page, nested, idOf } = await openFans('chess')
    const cursor = (await page()).paging?.cursors.after ?? ''
    expect(withId(cursor, idOf('9000'))).toBe(cursor)
    for (const id of ['7', '523', '81'].map(idOf)) {
      const forged = withId(cursor, id)
      for (const after of [forged, forged.slice(0, -SIGNATURE)]) {
        for (const asked of [page(after), nested(after)])
          expect((await faultOf(asked)).data).toMatchObject({ reason: 'bad_parameter', parameter: 'after' })
      }
    }
  })

  it('is of no use to another app', async () => {
    const chess = await openFans('chess')
    const mail = await openFans('mail')
    const cursor = (await chess.page()).paging?.cursors.after
    expect((await faultOf(mail.page(cursor))).data.reason).toBe('bad_parameter')
  })
})
