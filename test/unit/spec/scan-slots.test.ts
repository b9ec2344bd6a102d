import { describe, expect, it } from 'vitest'
import { openLongLists, shelfId } from '../../helpers/long-lists.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const fields = 'things.summary(true){id}'

type Opened = Awaited<ReturnType<typeof openLongLists>>

/** Reads the list of a shelf for a viewer. */
const readShelf = (
  { graph, watch }: Opened,
  index: number,
  viewer: string,
  options = {},
): Promise<unknown> => {
  const session = graph.session({ viewer, app: 'demo', scopes: [] })
  const call = { id: shelfId(index), fields, ...options }
  return loosely(graph.getNode, session, call).finally(() => watch.end(shelfId(index)))
}

const emptyShelf = (index: number) => ({
  things: { data: [], summary: { order: 'reverse_chronological', total_count: 0 } },
  id: shelfId(index),
})

/** Time in which those who need not wait would have gone on. */
const moment = () => new Promise(resolve => setTimeout(resolve, 50))

/** Starts calls, of which so many go on at a time, and lets them end. */
const expectAtOnce = async (
  opened: Opened,
  calls: readonly Promise<unknown>[],
  most: number,
  open: () => void,
) => {
  await expect.poll(() => opened.watch.ahead.length).toBe(most)
  await moment()
  expect(opened.watch.ahead).toHaveLength(most)
  open()
  expect(await Promise.all(calls)).toEqual(calls.map((_, index) => emptyShelf(index)))
  expect(opened.watch.most).toBe(most)
}

describe('calls that examine more than 10,000 edges', () => {
  it('go on two at a time for one viewer, and have the same results', async () => {
    const opened = await openLongLists(5)
    const open = opened.watch.hold()
    const calls = [0, 1, 2, 3, 4].map(index => readShelf(opened, index, '1'))
    await expectAtOnce(opened, calls, 2, open)
  })

  it('go on eight at a time for all viewers', async () => {
    const opened = await openLongLists(10)
    const open = opened.watch.hold()
    const calls = Array.from({ length: 10 }, (_, index) => readShelf(opened, index, `${index + 1}`))
    await expectAtOnce(opened, calls, 8, open)
  })

  it('share the slots of the process, whichever graph they are of', async () => {
    const [one, two] = [await openLongLists(2), await openLongLists(2)]
    const open = one.watch.hold()
    const first = [0, 1].map(index => readShelf(one, index, '1'))
    await expect.poll(() => one.watch.ahead.length).toBe(2)
    const second = readShelf(two, 0, '1')
    // Another viewer is not delayed.
    expect(await readShelf(two, 1, '2')).toEqual(emptyShelf(1))
    await moment()
    expect(two.watch.ahead).toEqual([])
    open()
    expect(await Promise.all([...first, second])).toEqual([emptyShelf(0), emptyShelf(1), emptyShelf(0)])
  })

  it('wait no longer than their time or their signal allow, and then leave their place to others', async () => {
    const opened = await openLongLists(4, { limits: { deadline: 4000 } })
    const open = opened.watch.hold()
    const first = [0, 1].map(index => faultOf(readShelf(opened, index, '1')))
    await expect.poll(() => opened.watch.ahead.length).toBe(2)
    const aborter = new AbortController()
    const third = faultOf(readShelf(opened, 2, '1'))
    const fourth = faultOf(readShelf(opened, 3, '1', { signal: aborter.signal }))
    await moment()
    aborter.abort()
    expect((await fourth).data.reason).toBe('aborted')
    expect((await third).data.reason).toBe('deadline')
    for (const fault of await Promise.all(first)) expect(fault.data.reason).toBe('deadline')
    expect(opened.watch.most).toBe(2)
    open()
    // All slots are free again.
    for (const index of [0, 1, 2]) expect(await readShelf(opened, index, '1')).toEqual(emptyShelf(index))
  })
})

describe('calls that examine no more than 10,000 edges', () => {
  it('wait for no slot', async () => {
    const opened = await openLongLists(3)
    const open = opened.watch.hold()
    const calls = [0, 1].map(index => readShelf(opened, index, '1'))
    await expect.poll(() => opened.watch.ahead.length).toBe(2)
    const session = opened.graph.session({ viewer: '1', app: 'demo', scopes: [] })
    const short = { id: shelfId(2), fields: 'things.since(0).until(8)' }
    expect(await loosely(opened.graph.getNode, session, short)).toEqual({
      things: { data: [] },
      id: shelfId(2),
    })
    open()
    await Promise.all(calls)
  })
})
