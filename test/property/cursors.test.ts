import fc from 'fast-check'
import { isGraphError } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { asked, deleteLike, idsOf, lists, OWNER, openList, orders, WAYS, wholeOf } from './edge-lists.ts'
import { settings } from './settings.ts'

const refusalOf = async (call: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await call.then(
    () => undefined,
    error => error,
  )
  return isGraphError(error) ? { reason: error.data.reason, parameter: error.data.parameter } : error
}

describe('a cursor', () => {
  it('survives the deletion of its edge, and of the node that the edge led to', async () => {
    const deletions = fc.record({ way: fc.constantFrom(...WAYS), node: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(lists, asked, deletions, async (list, asked, { way, node }) => {
        const { write, ways } = await openList(list)
        const whole = wholeOf(list, asked)
        const page = await ways[way](asked, {})
        const { next, cursors } = page.paging ?? {}
        const last = idsOf(page).at(-1)
        if (next === undefined || cursors === undefined || last === undefined) return
        await write(node ? { op: 'deleteNode', id: last } : deleteLike(last))
        const rest = await ways[way]({ ...asked, limit: 100 }, { after: cursors.after })
        expect(idsOf(rest)).toEqual(whole.slice(asked.limit))
        const front = await ways[way]({ ...asked, limit: 100 }, { before: cursors.after })
        expect(idsOf(front)).toEqual(whole.slice(0, asked.limit - 1))
      }),
      settings(100),
    )
  })

  it('is the same whatever is selected, however large the page, and wherever it is asked for', async () => {
    const selections = fc.constantFrom(
      'id',
      'title',
      'title,count,likes.limit(1){id}',
      'likes.as(kin)',
      'kin{title}',
    )
    await fc.assert(
      fc.asyncProperty(lists, asked, selections, async (list, asked, fields) => {
        const { graph, session, ways } = await openList(list)
        const { paging } = await ways.call(asked, {})
        const expected = paging?.cursors
        const call = { id: OWNER, edge: 'likes', ...asked, fields }
        const other = await graph.getEdge(session, call)
        expect(other.paging?.cursors).toEqual(expected)
        expect((await ways.below(asked, {})).paging?.cursors).toEqual(expected)
        expect((await ways.twiceBelow(asked, {})).paging?.cursors).toEqual(expected)
        const larger = await graph.getEdge(session, { ...call, limit: 100, summary: true })
        expect(larger.paging?.cursors.before).toEqual(expected?.before)
      }),
      settings(100),
    )
  })

  it('is refused for another edge and for another order', async () => {
    const sides = fc.constantFrom('after', 'before')
    const filled = lists.filter(({ length }) => length > 0)
    await fc.assert(
      fc.asyncProperty(
        filled,
        orders,
        orders,
        fc.constantFrom('likes', 'parts'),
        sides,
        async (list, order, other, edge, side) => {
          const { graph, session } = await openList(list)
          const { paging } = await graph.getEdge(session, { id: OWNER, edge: 'likes', order })
          const cursor = paging?.cursors.after ?? ''
          const call = graph.getEdge(session, { id: OWNER, edge, order: other, [side]: cursor })
          const nested = graph.getNode(session, {
            id: OWNER,
            fields: `${edge}.order(${other}).${side}(${cursor})`,
          })
          const isOwn = edge === 'likes' && order === other
          const refusal = isOwn ? undefined : { reason: 'bad_parameter', parameter: side }
          expect(await refusalOf(call)).toEqual(refusal)
          expect(await refusalOf(nested)).toEqual(refusal)
        },
      ),
      settings(100),
    )
  })

  it('with a changed character is refused, or stands for another place: it is never a fault of the library', async () => {
    const changes = fc.record({ at: fc.nat(60), character: fc.constantFrom(...'AZaz09-_=. é') })
    await fc.assert(
      fc.asyncProperty(
        lists.filter(({ length }) => length > 0),
        changes,
        async (list, { at, character }) => {
          const { graph, session } = await openList(list)
          const { paging } = await graph.getEdge(session, { id: OWNER, edge: 'likes' })
          const cursor = paging?.cursors.after ?? ''
          const after = cursor.slice(0, at) + character + cursor.slice(at + 1)
          const refusal = await refusalOf(graph.getEdge(session, { id: OWNER, edge: 'likes', after }))
          expect([undefined, { reason: 'bad_parameter', parameter: 'after' }]).toContainEqual(refusal)
        },
      ),
      settings(200),
    )
  })
})
