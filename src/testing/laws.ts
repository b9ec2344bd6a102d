import type { EdgeEntry, EdgeRange, StoreReader } from '../store/contract.ts'
import { comparePositions } from '../store/order.ts'
import { assertEqual, fail } from './assertions.ts'

/** A list of edges, walked with `limit` entries a read. */
export type ListWalk = Pick<EdgeRange, 'source' | 'name' | 'direction' | 'limit'>

const forwards = ({ direction }: ListWalk): number => (direction === 'oldest' ? 1 : -1)

/** All entries of a list in walking order, page by page, and its count. */
const walk = async (
  reader: StoreReader,
  asked: ListWalk,
): Promise<{ entries: EdgeEntry[]; total: number }> => {
  const entries: EdgeEntry[] = []
  let range: EdgeRange = { ...asked, from: undefined, minTime: undefined, maxTime: undefined, count: true }
  for (;;) {
    const wave = { nodes: [], ranges: [range], tests: [], tokens: [] }
    const { ranges } = await reader.read(wave, { signal: undefined, deadline: undefined, atLeast: undefined })
    const slice = ranges[0] ?? fail('a wave of one range answers no slice')
    for (const entry of slice.entries) entries.push(entry)
    if (!slice.more)
      return { entries, total: slice.total ?? fail('a range that asks for the count answers none') }
    const end = slice.end ?? fail('a slice with more has no end to go on from')
    if (range.from !== undefined && forwards(asked) * comparePositions(end, range.from) <= 0)
      fail(`a slice goes on, but not beyond ${range.from.time}/${range.from.target}, where it began`)
    range = { ...range, from: end }
  }
}

const positionsOf = (entries: readonly EdgeEntry[]) => entries.map(({ time, target }) => ({ time, target }))

/**
 * The law of pages: the pages of a list joined are the whole list, in strictly the order of its direction, and as many
 * as its count.
 *
 * @throws Error where the store does not keep it, saying where.
 *
 * @example
 * ```ts
 * import { assertPagesJoin, createModelStore } from 'kithgraph/testing'
 *
 * const store = createModelStore()
 * await assertPagesJoin(store, { source: '1', name: 'likes', direction: 'newest', limit: 2 })
 * ```
 */
export const assertPagesJoin = async (reader: StoreReader, list: ListWalk): Promise<void> => {
  const about = `the pages of ${list.limit}, ${list.direction} first, of ${JSON.stringify(list.name)} of ${list.source}`
  const paged = await walk(reader, list)
  const whole = await walk(reader, { ...list, limit: Math.max(1, paged.total) })
  assertEqual(paged.entries.length, paged.total, `${about} are as many as the count`)
  assertEqual(positionsOf(paged.entries), positionsOf(whole.entries), `${about} are the whole list`)
  paged.entries.forEach((entry, index) => {
    const before = paged.entries[index - 1]
    if (before !== undefined && forwards(list) * comparePositions(entry, before) <= 0)
      fail(
        `${about} are in order, but ${before.time}/${before.target} is before ${entry.time}/${entry.target}`,
      )
  })
}

/**
 * The law of directions: a list newest first is the exact reverse of the list oldest first.
 *
 * @throws Error where the store does not keep it, saying where.
 *
 * @example
 * ```ts
 * import { assertMirrored, createModelStore } from 'kithgraph/testing'
 *
 * const store = createModelStore()
 * await assertMirrored(store, { source: '1', name: 'likes', limit: 2 })
 * ```
 */
export const assertMirrored = async (
  reader: StoreReader,
  list: Omit<ListWalk, 'direction'>,
): Promise<void> => {
  const oldest = await walk(reader, { ...list, direction: 'oldest' })
  const newest = await walk(reader, { ...list, direction: 'newest' })
  assertEqual(
    positionsOf(newest.entries),
    positionsOf(oldest.entries.reverse()),
    `${JSON.stringify(list.name)} of ${list.source}, newest first, is the mirror of oldest first`,
  )
}
