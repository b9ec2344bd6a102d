import { describe, expect, it } from 'vitest'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import { openLists, type Page, sourceId, timeAt, VIEWER, visibleAt } from './visible-lists.ts'

const SCARCE_LIST = visibleAt(100, 0, 30, 31, 99)
const limits = { scan: 20 }
const { readPage } = await openLists([SCARCE_LIST], { limits, secret: 'the secret of the cursors' })

describe('an encrypted cursor', () => {
  const encryptedCursorOf = (page: Page): string => page.paging?.cursors.after ?? ''

  it('contains no readable id or time, and is as long as that of another position', async () => {
    const encryptedCursor = encryptedCursorOf(await readPage({ limit: 5 }))
    const [prefix = '', ciphertext = ''] = encryptedCursor.split('.')
    const other = encryptedCursorOf(await readPage({ limit: 5, until: new Date(timeAt(1)) }))
    expect(other.split('.')[0]).toBe(prefix)
    const text = atob(ciphertext.replaceAll('-', '+').replaceAll('_', '/'))
    expect(text).not.toMatch(/\d{5}/)
    expect(ciphertext).toHaveLength(other.split('.')[1]?.length ?? 0)
  })

  it('is the same if the same page is read again', async () => {
    expect(await readPage({ limit: 5 })).toEqual(await readPage({ limit: 5 }))
  })

  it('is accepted only by graphs with the same secret', async () => {
    const encrypted = encryptedCursorOf(await readPage({ limit: 5 }))
    const twin = await openLists([SCARCE_LIST], { limits, secret: 'the secret of the cursors' })
    expect(await twin.readPage({ after: encrypted, limit: 5 })).toEqual(
      await readPage({ after: encrypted, limit: 5 }),
    )
    for (const options of [{ limits, secret: 'another secret of the cursors' }, { limits }]) {
      const { readPage } = await openLists([SCARCE_LIST], options)
      expect(
        (await expectGraphError(readPage({ after: encrypted }))).toJSON().error.error_data,
      ).toMatchObject({
        reason: 'invalid_parameter',
        parameter: 'after',
      })
    }
  })

  it('is rejected if it was changed or cut short', async () => {
    const encrypted = encryptedCursorOf(await readPage({ limit: 5 }))
    const changed = [...encrypted].map(
      (char, at) => encrypted.slice(0, at) + (char === 'B' ? 'C' : 'B') + encrypted.slice(at + 1),
    )
    const cut = [...encrypted].map((_, at) => encrypted.slice(0, at))
    for (const after of [
      ...changed,
      ...cut,
      `${encrypted}B`,
      `${encrypted}.`,
      encrypted.replace('.', '..'),
    ]) {
      const call = [{ after }, { after, order: 'reverse_chronological' }]
      for (const one of call) {
        expect((await expectGraphError(readPage(one))).toJSON().error.error_data, after).toMatchObject({
          reason: 'invalid_parameter',
          parameter: 'after',
        })
      }
    }
  })

  it('is rejected for another edge or order', async () => {
    const after = encryptedCursorOf(await readPage({ limit: 5 }))
    for (const call of [{ edge: 'drafts' }, { edge: 'notes' }, { order: 'chronological' }]) {
      expect((await expectGraphError(readPage({ ...call, after }))).data).toMatchObject({
        parameter: 'after',
      })
    }
  })

  it('is rejected for the list of another node, for another viewer and for another app', async () => {
    const { graph, readPage } = await openLists([SCARCE_LIST, SCARCE_LIST], {
      limits,
      secret: 'the secret of the cursors',
    })
    const after = encryptedCursorOf(await readPage({ limit: 5 }))
    const call = { id: sourceId(0), edge: 'posts', after }
    expect((await expectGraphError(readPage({ ...call, id: sourceId(1) }))).data).toMatchObject({
      parameter: 'after',
    })
    for (const others of [{ viewer: sourceId(1) }, { viewer: undefined }, { app: 'other' }]) {
      const other = graph.session({ viewer: VIEWER, app: 'demo', scopes: [], ...others })
      const error = await expectGraphError(callUntyped(graph.getEdge, other, call))
      expect(error.toJSON().error.error_data).toMatchObject({
        reason: 'invalid_parameter',
        parameter: 'after',
      })
    }
  })

  it('is rejected inside an expression for the list of another node, even next to its own list', async () => {
    const { graph, viewer, readPage } = await openLists([SCARCE_LIST, SCARCE_LIST], {
      limits,
      secret: 'the secret of the cursors',
    })
    const after = encryptedCursorOf(await readPage({ limit: 5 }))
    const fields = `posts.limit(1).after(${after}){id}`
    const read = (ids: readonly string[]) => callUntyped(graph.getNodes, viewer, { ids, fields })
    expect(await read([sourceId(0)])).toHaveProperty(sourceId(0))
    for (const ids of [[sourceId(1)], [sourceId(0), sourceId(1)]]) {
      const error = await expectGraphError(read(ids))
      expect(error.toJSON().error.error_data).toMatchObject({
        reason: 'invalid_parameter',
        parameter: 'after',
      })
    }
  })

  it('is accepted inside an expression', async () => {
    const { graph, viewer } = await openLists([SCARCE_LIST], { limits, secret: 'the secret of the cursors' })
    const after = encryptedCursorOf(await readPage({ limit: 5 }))
    const result = await callUntyped(graph.getNode, viewer, {
      id: sourceId(0),
      fields: `posts.limit(1).after(${after}){id}`,
    })
    expect(result).toMatchObject({ posts: { data: (await readPage({ limit: 1, after })).data } })
    const forged = { id: sourceId(0), fields: `posts.after(${after.slice(0, -2)})` }
    expect((await expectGraphError(callUntyped(graph.getNode, viewer, forged))).data).toMatchObject({
      parameter: 'after',
    })
  })
})
