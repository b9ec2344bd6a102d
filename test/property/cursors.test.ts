import fc from 'fast-check'
import { isGraphError } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { deleteLike, idsOf, listOptions, lists, openList, orders, readWholeList, WAYS } from './edge-lists.ts'
import { propertySettings } from './property-settings.ts'

const captureError = async (call: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await call.then(
    () => undefined,
    error => error,
  )
  return isGraphError(error) ? { reason: error.reason, parameter: error.data.parameter } : error
}

describe('a cursor', () => {
  it('stays valid after its edge or the target node is deleted', async () => {
    const deletions = fc.record({ way: fc.constantFrom(...WAYS), node: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(lists, listOptions, deletions, async (list, options, { way, node }) => {
        const { write, ways } = await openList(list)
        const whole = readWholeList(list, options)
        const page = await ways[way](options, {})
        const { next, cursors } = page.paging ?? {}
        const last = idsOf(page).at(-1)
        if (next === undefined || cursors === undefined || last === undefined) return
        await write(...(node ? [{ op: 'deleteNode', id: last } as const] : deleteLike(last)))
        const rest = await ways[way]({ ...options, limit: 100 }, { after: cursors.after })
        expect(idsOf(rest)).toEqual(whole.slice(options.limit))
        const front = await ways[way]({ ...options, limit: 100 }, { before: cursors.after })
        expect(idsOf(front)).toEqual(whole.slice(0, options.limit - 1))
      }),
      propertySettings(100),
    )
  })

  it('does not depend on the selected fields, the page size or the call', async () => {
    const selections = fc.constantFrom(
      'id',
      'title',
      'title,count,likes.limit(1){id}',
      'likes.as(kin)',
      'kin{title}',
    )
    await fc.assert(
      fc.asyncProperty(lists, listOptions, selections, async (list, options, fields) => {
        const { graph, session, ways, owner } = await openList(list)
        const { paging } = await ways.call(options, {})
        const expected = paging?.cursors
        const call = { id: owner, edge: 'likes', ...options, fields }
        const other = await graph.getEdge(session, call)
        expect(other.paging?.cursors).toEqual(expected)
        expect((await ways.below(options, {})).paging?.cursors).toEqual(expected)
        expect((await ways.twiceBelow(options, {})).paging?.cursors).toEqual(expected)
        const larger = await graph.getEdge(session, { ...call, limit: 100, summary: true })
        expect(larger.paging?.cursors.before).toEqual(expected?.before)
      }),
      propertySettings(100),
    )
  })

  it('is rejected for another edge and for another order', async () => {
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
          const { graph, session, owner } = await openList(list)
          const { paging } = await graph.getEdge(session, { id: owner, edge: 'likes', order })
          const cursor = paging?.cursors.after ?? ''
          const call = graph.getEdge(session, { id: owner, edge, order: other, [side]: cursor })
          const nested = graph.getNode(session, {
            id: owner,
            fields: `${edge}.order(${other}).${side}(${cursor})`,
          })
          const isOwn = edge === 'likes' && order === other
          const expected = isOwn ? undefined : { reason: 'invalid_parameter', parameter: side }
          expect(await captureError(call)).toEqual(expected)
          expect(await captureError(nested)).toEqual(expected)
        },
      ),
      propertySettings(100),
    )
  })

  it('causes no error except invalid_parameter if a character is changed', async () => {
    const changes = fc.record({ at: fc.nat(60), character: fc.constantFrom(...'AZaz09-_=. é') })
    await fc.assert(
      fc.asyncProperty(
        lists.filter(({ length }) => length > 0),
        changes,
        orders,
        async (list, { at, character }, order) => {
          const { graph, session, owner } = await openList(list)
          const { paging } = await graph.getEdge(session, { id: owner, edge: 'likes', order })
          const cursor = paging?.cursors.after ?? ''
          const after = cursor.slice(0, at) + character + cursor.slice(at + 1)
          const error = await captureError(graph.getEdge(session, { id: owner, edge: 'likes', order, after }))
          expect([undefined, { reason: 'invalid_parameter', parameter: 'after' }]).toContainEqual(error)
        },
      ),
      propertySettings(200),
    )
  })
})
