import { describe, expect, it } from 'vitest'
import { loosely } from '../abuse/fault-of.ts'
import {
  idsOf,
  type List,
  oneIn,
  openLists,
  postId,
  seenAt,
  seenOf,
  sourceId,
  timeAt,
  VIEWER,
} from './sifted-lists.ts'

const SCAN = 20
const scarce = seenAt(100, 0, 30, 31, 99)
const limits = { scan: SCAN }
const { askPage, follow, walk } = await openLists([scarce], { limits, secret: 'the secret of the cursors' })
const remark = 'The scan budget ended on a page of posts: it may be short, and its cursor goes on'

describe('a page on which the scan budget ends', () => {
  it('is short, and its cursor is sealed', async () => {
    const page = await askPage({ limit: 5 })
    expect(idsOf(page)).toEqual([postId(0, 0)])
    const { cursors, next } = page.paging ?? {}
    expect(cursors).toEqual({ before: expect.not.stringContaining('.'), after: expect.stringContaining('.') })
    expect(next).toContain(`after=${cursors?.after}`)
  })

  it('says so to those who debug, and to no one else', async () => {
    expect((await askPage({ limit: 5, debug: 'all' })).__debug__).toEqual({
      messages: [{ message: remark, type: 'warning' }],
    })
    expect(await askPage({ limit: 5 })).not.toHaveProperty('__debug__')
    const { askPage: askRich } = await openLists([scarce])
    expect((await askRich({ limit: 5, debug: 'all' })).__debug__).toEqual({ messages: [] })
  })

  it('is one that is full too, where it is not known whether it goes on', async () => {
    const page = await askPage({ limit: 1 })
    expect(idsOf(page)).toEqual([postId(0, 0)])
    expect(page.paging?.cursors.after).toContain('.')
    const { askPage: askTwo } = await openLists([seenAt(21, 0)], { limits })
    expect((await askTwo({ limit: 1 })).paging?.next).toBeDefined()
    const { askPage: askAll } = await openLists([seenAt(20, 0)], { limits })
    expect((await askAll({ limit: 1 })).paging).not.toHaveProperty('next')
  })

  it('is empty where nothing was found: with a cursor that goes on, and nothing else', async () => {
    const empty = await askPage({ limit: 5, until: new Date(timeAt(40)) })
    expect(empty).toEqual({
      data: [],
      paging: { cursors: { after: expect.stringContaining('.') }, next: expect.any(String) },
    })
    expect(Object.keys((await follow(empty.paging?.next ?? '')).paging ?? {})).toEqual(['cursors', 'next'])
  })

  it('is empty backwards alike', async () => {
    const { paging } = await askPage({ limit: 1, until: new Date(timeAt(99)) })
    const empty = await askPage({ limit: 5, before: paging?.cursors.before })
    expect(empty).toEqual({
      data: [],
      paging: { cursors: { before: expect.stringContaining('.') }, previous: expect.any(String) },
    })
    expect(empty.paging?.previous).toContain(`before=${empty.paging?.cursors.before}`)
  })

  it('keeps the cursors of what it answers on its other side', async () => {
    const { paging } = await askPage({ limit: 1, since: new Date(timeAt(31)), until: new Date(timeAt(31)) })
    const page = await askPage({ limit: 5, before: paging?.cursors.after })
    expect(idsOf(page)).toEqual([postId(0, 30)])
    expect(page.paging?.cursors).toEqual({
      before: expect.stringContaining('.'),
      after: expect.not.stringContaining('.'),
    })
    expect(Object.keys(page.paging ?? {})).toEqual(['cursors', 'previous', 'next'])
  })

  it.each([1, 2, 5, 40])('joins with the others to all that is to be seen, %d at a time', async limit => {
    const forth = await walk('next', await askPage({ limit }))
    expect(forth.flat()).toEqual(seenOf(scarce))
    const oldest = await walk('next', await askPage({ limit, order: 'chronological' }))
    expect(oldest.flat()).toEqual(seenOf(scarce).toReversed())
    const { paging } = await askPage({ limit: 1, until: new Date(timeAt(99)) })
    const back = await walk('previous', await askPage({ limit, before: paging?.cursors.before }))
    expect(back.reverse().flat()).toEqual(seenOf(scarce).slice(0, -1))
  })

  it('is gone on from by iterateEdge', async () => {
    const { graph, viewer } = await openLists([scarce], { limits })
    const ids = []
    const call = { id: sourceId(0), type: 'person', edge: 'posts', fields: 'id', limit: 3 } as const
    for await (const { id } of graph.iterateEdge(viewer, call)) ids.push(id)
    expect(ids).toEqual(seenOf(scarce))
  })
})

describe('what a call examines', () => {
  type World = Awaited<ReturnType<typeof openLists>>

  /** How many edges the store was asked for, by list: under its source and the name of its edge. */
  const examined = ({ store }: World): Map<string, number> => {
    const sums = new Map<string, number>()
    for (const { source, name, limit } of store.reads.flatMap(({ wave }) => wave.ranges)) {
      if (name !== 'follows') sums.set(`${source} ${name}`, (sums.get(`${source} ${name}`) ?? 0) + limit)
    }
    return sums
  }

  const ask = async (world: World, fields: string, id = VIEWER): Promise<number[]> => {
    world.store.clear()
    await loosely(world.graph.getNode, world.viewer, { id, fields })
    return [...examined(world).values()]
  }

  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

  it.each([1, 3, 26, 27, 100, 1000])('is of one list at most the %d of its scan', async scan => {
    const world = await openLists([seenAt(1200, 1100), oneIn(50, 1200)], { limits: { scan } })
    expect(Math.max(...(await ask(world, 'follows{posts{id}}')))).toBeLessThanOrEqual(scan)
  })

  it('is all of the scan where nothing is found', async () => {
    const world = await openLists([seenAt(1200)], { limits: { scan: 300 } })
    expect(await ask(world, 'follows{posts{id}}')).toEqual([300])
    expect(world.store.reads.reduce((rows, read) => rows + read.rows, 0)).toBe(2 + 300)
  })

  it.each([200, 500, 2000])(
    'is in all at most the %d of its query, where the first pages fit',
    async scanQuery => {
      const world = await openLists(Array(8).fill(seenAt(400)), { limits: { scanQuery } })
      const counts = await ask(world, 'follows.limit(8){posts.limit(9){id}}')
      expect(sum(counts)).toBeLessThanOrEqual(scanQuery)
      expect(sum(counts)).toBeGreaterThan(scanQuery - counts.length)
    },
  )

  it('is no more where lists of the next level join those of the first', async () => {
    const world = await openLists(Array(8).fill(seenAt(400)), { limits: { scanQuery: 300 } })
    const fields = 'follows.limit(8){posts.limit(9){id}},posts.limit(9){id}'
    expect(sum(await ask(world, fields, sourceId(0)))).toBeLessThanOrEqual(300)
  })

  it('is the first pages, where nothing else fits', async () => {
    const world = await openLists(Array(8).fill(seenAt(400)), { limits: { scanQuery: 1 } })
    expect(await ask(world, 'follows.limit(8){posts.limit(9){id}}')).toEqual(Array(8).fill(10))
  })

  it('is shared evenly: of lists that are alike none is looked into further than another', async () => {
    const world = await openLists(Array(20).fill(seenAt(500)), {
      edges: ['posts', 'drafts'],
      limits: { scanQuery: 2400 },
    })
    const counts = await ask(world, 'follows.limit(20){posts.limit(9){id},drafts.limit(9){id}}')
    expect(counts).toHaveLength(40)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  })

  it('leaves what one list does not need to those that do', async () => {
    const lists: List[] = [...Array<List>(19).fill(oneIn(1, 30)), seenAt(500, 450)]
    const world = await openLists(lists, { limits: { scanQuery: 20 * 10 + 450 } })
    const counts = await ask(world, 'follows.limit(20){posts.limit(9){id}}')
    expect(counts).toEqual([...Array(19).fill(10), 460])
  })

  it('is no more for a list whose page is full', async () => {
    const world = await openLists([oneIn(1, 500)])
    expect(await ask(world, 'follows{posts.limit(9){id}}')).toEqual([10])
  })

  it.each([
    ['posts.limit(9)', {}, 1000],
    ['posts.limit(9).summary(true)', { scan: 300 }, 600],
    ['follows.limit(20){posts.limit(9)}', {}, 20 + 20_000],
    ['follows.limit(20){posts.limit(9)}', { scanQuery: 700 }, 20 + 700],
    ['follows.limit(20){posts.limit(9)}', { scanQuery: 100 }, 20 + 20 * 10 + 50],
    ['follows.limit(9),posts.limit(9),drafts{likes.limit(4)}', { scan: 50 }, 9 + 50 + 50 + 25 * 4],
  ])('is what explain tells, at the worst: %s %j', async (fields, limits, scanned) => {
    const world = await openLists([seenAt(400), seenAt(400, 3)], { limits })
    expect(world.graph.explain(Object({ type: 'person', fields })).scanned).toBe(scanned)
    expect(sum(await ask(world, fields))).toBeLessThanOrEqual(scanned)
  })
})
