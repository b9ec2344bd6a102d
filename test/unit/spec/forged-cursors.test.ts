import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { encodePosition } from '../../../src/core/cursor-letters.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const SIGNATURE_LENGTH = 16
const FANS = ['7', '523', '81', '9000']

const TIME = 1_700_000_000_000

/** Opens a page whose fans have app-scoped ids and the same time, so that their raw ids decide the order. */
const openFanGraph = async (app: string) => {
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
    callUntyped(graph.getNode, session, { id: '100', fields: `fans.limit(1).after(${after})` })
  return { page, nested, idOf: (id: string) => graph.ids.toPublic(id, app) }
}

/**
 * Replaces the id in a cursor. If the cursor were valid, the entries after it would show whether the id is
 * larger than theirs.
 */
const replaceId = (cursor: string, id: string): string => {
  const position = encodePosition({ time: TIME, target: id })
  return cursor.slice(0, -SIGNATURE_LENGTH - position.length) + position + cursor.slice(-SIGNATURE_LENGTH)
}

describe('a cursor with an app-scoped id', () => {
  it('continues after the last entry of its page', async () => {
    const { page, idOf } = await openFanGraph('chess')
    const first = await page()
    const second = await page(first.paging?.cursors.after)
    expect([first, second].flatMap(({ data }) => data.map(({ id }) => id))).toEqual(['9000', '523'].map(idOf))
  })

  it('is rejected if its id is replaced, because the result would reveal the order of raw ids', async () => {
    const { page, nested, idOf } = await openFanGraph('chess')
    const cursor = (await page()).paging?.cursors.after ?? ''
    expect(replaceId(cursor, idOf('9000'))).toBe(cursor)
    for (const id of ['7', '523', '81'].map(idOf)) {
      const forged = replaceId(cursor, id)
      for (const after of [forged, forged.slice(0, -SIGNATURE_LENGTH)]) {
        for (const call of [page(after), nested(after)])
          expect((await expectGraphError(call)).toJSON().error.error_data).toMatchObject({
            reason: 'invalid_parameter',
            parameter: 'after',
          })
      }
    }
  })

  it('is rejected in another app', async () => {
    const chess = await openFanGraph('chess')
    const mail = await openFanGraph('mail')
    const cursor = (await chess.page()).paging?.cursors.after
    expect((await expectGraphError(mail.page(cursor))).reason).toBe('invalid_parameter')
  })
})
