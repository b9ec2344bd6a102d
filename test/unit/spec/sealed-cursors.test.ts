import { describe, expect, it } from 'vitest'
import { faultOf, loosely } from '../abuse/fault-of.ts'
import { openLists, type Page, seenAt, sourceId, timeAt, VIEWER } from './sifted-lists.ts'

const scarce = seenAt(100, 0, 30, 31, 99)
const limits = { scan: 20 }
const { askPage } = await openLists([scarce], { limits, secret: 'the secret of the cursors' })

describe('a sealed cursor', () => {
  const sealedOf = (page: Page): string => page.paging?.cursors.after ?? ''

  it('says nothing of the edge that it stands for', async () => {
    const sealed = sealedOf(await askPage({ limit: 5 }))
    const [head = '', seal = ''] = sealed.split('.')
    const other = sealedOf(await askPage({ limit: 5, until: new Date(timeAt(1)) }))
    expect(other.split('.')[0]).toBe(head)
    const text = atob(seal.replaceAll('-', '+').replaceAll('_', '/'))
    expect(text).not.toMatch(/\d{5}/)
    expect(seal).toHaveLength(other.split('.')[1]?.length ?? 0)
  })

  it('is the same for the same place', async () => {
    expect(await askPage({ limit: 5 })).toEqual(await askPage({ limit: 5 }))
  })

  it('holds in every process with the secret, and in no other', async () => {
    const sealed = sealedOf(await askPage({ limit: 5 }))
    const twin = await openLists([scarce], { limits, secret: 'the secret of the cursors' })
    expect(await twin.askPage({ after: sealed, limit: 5 })).toEqual(
      await askPage({ after: sealed, limit: 5 }),
    )
    for (const options of [{ limits, secret: 'another secret of the cursors' }, { limits }]) {
      const { askPage } = await openLists([scarce], options)
      expect((await faultOf(askPage({ after: sealed }))).data).toMatchObject({
        reason: 'bad_parameter',
        parameter: 'after',
      })
    }
  })

  it('is none where it was changed or cut short', async () => {
    const sealed = sealedOf(await askPage({ limit: 5 }))
    const changed = [...sealed].map(
      (char, at) => sealed.slice(0, at) + (char === 'B' ? 'C' : 'B') + sealed.slice(at + 1),
    )
    const cut = [...sealed].map((_, at) => sealed.slice(0, at))
    for (const after of [...changed, ...cut, `${sealed}B`, `${sealed}.`, sealed.replace('.', '..')]) {
      const call = [{ after }, { after, order: 'reverse_chronological' }]
      for (const one of call) {
        expect((await faultOf(askPage(one))).data, after).toMatchObject({
          reason: 'bad_parameter',
          parameter: 'after',
        })
      }
    }
  })

  it('is none for another edge or order', async () => {
    const after = sealedOf(await askPage({ limit: 5 }))
    for (const call of [{ edge: 'drafts' }, { edge: 'notes' }, { order: 'chronological' }]) {
      expect((await faultOf(askPage({ ...call, after }))).data).toMatchObject({ parameter: 'after' })
    }
  })

  it('is none for another list, viewer or app', async () => {
    const { graph, askPage } = await openLists([scarce, scarce], {
      limits,
      secret: 'the secret of the cursors',
    })
    const after = sealedOf(await askPage({ limit: 5 }))
    const call = { id: sourceId(0), edge: 'posts', after }
    expect((await faultOf(askPage({ ...call, id: sourceId(1) }))).data).toMatchObject({ parameter: 'after' })
    for (const others of [{ viewer: sourceId(1) }, { viewer: undefined }, { app: 'other' }]) {
      const other = graph.session({ viewer: VIEWER, app: 'demo', scopes: [], ...others })
      const fault = await faultOf(loosely(graph.getEdge, other, call))
      expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'after' })
    }
  })

  it('is none for another list inside an expression, nor for several lists of which one is its own', async () => {
    const { graph, viewer, askPage } = await openLists([scarce, scarce], {
      limits,
      secret: 'the secret of the cursors',
    })
    const after = sealedOf(await askPage({ limit: 5 }))
    const fields = `posts.limit(1).after(${after}){id}`
    const read = (ids: readonly string[]) => loosely(graph.getNodes, viewer, { ids, fields })
    expect(await read([sourceId(0)])).toHaveProperty(sourceId(0))
    for (const ids of [[sourceId(1)], [sourceId(0), sourceId(1)]]) {
      const fault = await faultOf(read(ids))
      expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'after' })
    }
  })

  it('is taken inside an expression', async () => {
    const { graph, viewer } = await openLists([scarce], { limits, secret: 'the secret of the cursors' })
    const after = sealedOf(await askPage({ limit: 5 }))
    const answer = await loosely(graph.getNode, viewer, {
      id: sourceId(0),
      fields: `posts.limit(1).after(${after}){id}`,
    })
    expect(answer).toMatchObject({ posts: { data: (await askPage({ limit: 1, after })).data } })
    const forged = { id: sourceId(0), fields: `posts.after(${after.slice(0, -2)})` }
    expect((await faultOf(loosely(graph.getNode, viewer, forged))).data).toMatchObject({ parameter: 'after' })
  })
})
