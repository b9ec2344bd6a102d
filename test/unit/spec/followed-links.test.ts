import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const openGraph = async () => {
  const graph = createGraph(createMemoryStore())
  const people = ['1', '2', '3'].map(
    id => ({ op: 'putNode', node: { id, type: 'user', fields: { name: id } } }) as const,
  )
  const likes = ['1', '2', '3'].map((source, time) => {
    return { op: 'putEdge', edge: { source, name: 'likes', target: '11', time } } as const
  })
  await graph.write([
    ...people,
    { op: 'putNode', node: { id: '11', type: 'page', fields: { name: 'Page' } } },
    ...likes,
  ])
  return { graph, page: graph.session({ viewer: '11', app: 'demo', scopes: [] }) }
}

/** Returns the options of the call that reads the page of a link. */
const callOf = (link: string | undefined) => {
  const { pathname, searchParams } = new URL(link ?? '', 'http://graph.test')
  const [, id = '', edge = ''] = pathname.split('/')
  const { fields = '', limit, after } = Object.fromEntries(searchParams)
  return { id, edge: edge as 'likes', fields, limit: Number(limit), after }
}

describe('a paging link of a nested edge', () => {
  it('selects only fields that its edge has, even if another viewer type has more', async () => {
    const { graph, page } = await openGraph()
    // Only pages have a category, and the likes of a page are people.
    const { likes } = await graph.getMe(page, { fields: 'likes.limit(1){category,name}' })
    const next = await graph.getEdge(page, callOf(likes?.paging?.next))
    expect(next.data).toEqual([{ name: '2', id: '2' }])
  })

  it('leaves out fields that a partial result left out', async () => {
    const { graph, page } = await openGraph()
    const fields: string = 'likes.limit(1){nope,name}'
    const text = JSON.stringify(await graph.getMe(page, { fields, partial: true }))
    const next = await graph.getEdge(page, callOf(/"next":"([^"]+)"/.exec(text)?.[1]))
    expect(next.data).toEqual([{ name: '2', id: '2' }])
  })
})
