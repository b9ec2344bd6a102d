import { describe, expect, it } from 'vitest'
import { openLongLists, shelfId } from '../../helpers/long-lists.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const fields = 'things.summary(true){id}'

type OpenedLists = Awaited<ReturnType<typeof openLongLists>>

/** Reads the list of a shelf for a viewer. */
const readShelf = (
  { graph, monitor }: OpenedLists,
  index: number,
  viewer: string,
  options = {},
): Promise<unknown> => {
  const session = graph.session({ viewer, app: 'demo', scopes: [] })
  const call = { id: shelfId(index), fields, ...options }
  return callUntyped(graph.getNode, session, call).finally(() => monitor.endCall(shelfId(index)))
}

const emptyPage = (index: number) => ({
  things: { data: [], summary: { order: 'reverse_chronological', total_count: 0 } },
  id: shelfId(index),
})

/** Waits long enough for calls that are not blocked to continue. */
const waitBriefly = () => new Promise(resolve => setTimeout(resolve, 50))

/** Expects that exactly `maxConcurrent` of the calls run at the same time, and then lets all calls end. */
const expectConcurrent = async (
  openedLists: OpenedLists,
  calls: readonly Promise<unknown>[],
  maxConcurrent: number,
  open: () => void,
) => {
  await expect.poll(() => openedLists.monitor.active.length).toBe(maxConcurrent)
  await waitBriefly()
  expect(openedLists.monitor.active).toHaveLength(maxConcurrent)
  open()
  expect(await Promise.all(calls)).toEqual(calls.map((_, index) => emptyPage(index)))
  expect(openedLists.monitor.maxConcurrent).toBe(maxConcurrent)
}

describe('calls that examine more than 10,000 edges', () => {
  it('run at most two at a time for one viewer, with correct results', async () => {
    const opened = await openLongLists(5)
    const open = opened.monitor.hold()
    const calls = [0, 1, 2, 3, 4].map(index => readShelf(opened, index, '1'))
    await expectConcurrent(opened, calls, 2, open)
  })

  it('run at most eight at a time for all viewers, with correct results', async () => {
    const opened = await openLongLists(10)
    const open = opened.monitor.hold()
    const calls = Array.from({ length: 10 }, (_, index) => readShelf(opened, index, `${index + 1}`))
    await expectConcurrent(opened, calls, 8, open)
  })

  it('share the limit of two per viewer across graphs, and do not delay another viewer', async () => {
    const [one, two] = [await openLongLists(2), await openLongLists(2)]
    const open = one.monitor.hold()
    const first = [0, 1].map(index => readShelf(one, index, '1'))
    await expect.poll(() => one.monitor.active.length).toBe(2)
    const second = readShelf(two, 0, '1')
    // Another viewer is not delayed.
    expect(await readShelf(two, 1, '2')).toEqual(emptyPage(1))
    await waitBriefly()
    expect(two.monitor.active).toEqual([])
    open()
    expect(await Promise.all([...first, second])).toEqual([emptyPage(0), emptyPage(1), emptyPage(0)])
  })

  it('stop waiting for their turn at their timeout or abort, and do not block later calls', async () => {
    const opened = await openLongLists(4, { limits: { timeoutMs: 4000 } })
    const open = opened.monitor.hold()
    const first = [0, 1].map(index => expectGraphError(readShelf(opened, index, '1')))
    await expect.poll(() => opened.monitor.active.length).toBe(2)
    const aborter = new AbortController()
    const third = expectGraphError(readShelf(opened, 2, '1'))
    const fourth = expectGraphError(readShelf(opened, 3, '1', { signal: aborter.signal }))
    await waitBriefly()
    aborter.abort()
    expect((await fourth).reason).toBe('aborted')
    expect((await third).reason).toBe('timeout')
    for (const error of await Promise.all(first)) expect(error.reason).toBe('timeout')
    expect(opened.monitor.maxConcurrent).toBe(2)
    open()
    // All slots are free again.
    for (const index of [0, 1, 2]) expect(await readShelf(opened, index, '1')).toEqual(emptyPage(index))
  })
})

describe('calls that examine no more than 10,000 edges', () => {
  it('do not wait, even if two larger calls of the same viewer run', async () => {
    const opened = await openLongLists(3)
    const open = opened.monitor.hold()
    const calls = [0, 1].map(index => readShelf(opened, index, '1'))
    await expect.poll(() => opened.monitor.active.length).toBe(2)
    const session = opened.graph.session({ viewer: '1', app: 'demo', scopes: [] })
    const short = { id: shelfId(2), fields: 'things.since(0).until(8)' }
    expect(await callUntyped(opened.graph.getNode, session, short)).toEqual({
      things: { data: [] },
      id: shelfId(2),
    })
    open()
    await Promise.all(calls)
  })
})
