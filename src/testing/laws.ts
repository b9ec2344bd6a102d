import type { EdgeEntry, EdgePosition, EdgeRange, StoreReader } from '../store/contract.ts'
import { assertEqual, fail } from './assertions.ts'
import { compareReturnedPositions } from './position-keys.ts'

/** A list of edges that is read with `limit` entries per page. */
export type ListWalk = Pick<EdgeRange, 'source' | 'name' | 'direction' | 'limit'>

const directionSignOf = ({ direction }: ListWalk): number => (direction === 'oldest' ? 1 : -1)

/** Whether a position is after another one in the direction of a list, as far as positions with keys show it. */
const isAfter = (list: ListWalk, position: EdgePosition, previous: EdgePosition): boolean => {
  const sign = directionSignOf(list)
  return sign * compareReturnedPositions(position, previous, sign) > 0
}

/** Reads all entries of a list in order, page by page, and the count of the list. */
const readWholeList = async (
  reader: StoreReader,
  list: ListWalk,
): Promise<{ entries: EdgeEntry[]; total: number }> => {
  const entries: EdgeEntry[] = []
  let range: EdgeRange = { ...list, from: undefined, minTime: undefined, maxTime: undefined, count: true }
  for (;;) {
    const request = { nodes: [], ranges: [range], checks: [], tokens: [] }
    const { ranges } = await reader.read(request, {
      signal: undefined,
      deadline: undefined,
      minRevision: undefined,
    })
    const rangeResult = ranges[0] ?? fail('expected a result for the range of a read')
    for (const entry of rangeResult.entries) entries.push(entry)
    if (!rangeResult.hasMore)
      return { entries, total: rangeResult.total ?? fail('expected a total for a range with count') }
    const lastExamined =
      rangeResult.lastExamined ?? fail('expected "lastExamined" in a result with "hasMore"')
    if ((lastExamined.key === undefined) !== (rangeResult.entries.at(-1)?.key === undefined))
      fail('expected a key in "lastExamined" if the positions of the entries have keys')
    if (range.from !== undefined && !isAfter(list, lastExamined, range.from))
      fail(`expected an entry after ${range.from.time}/${range.from.target}, where the range begins`)
    range = { ...range, from: lastExamined }
  }
}

const positionsOf = (entries: readonly EdgeEntry[]) =>
  entries.map(({ time, target, key }) => (key === undefined ? { time, target } : { time, target, key }))

/**
 * Asserts that the pages of a list, joined in order, are the whole list. The entries must be strictly in the
 * order of the direction, and as many as the count.
 *
 * @throws Error if they are not. The message contains the position.
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
  const label = `the list ${JSON.stringify(list.name)} of ${list.source}, ${list.direction} first, in pages of ${list.limit}`
  const pagedList = await readWholeList(reader, list)
  const wholeList = await readWholeList(reader, { ...list, limit: Math.max(1, pagedList.total) })
  assertEqual(pagedList.entries.length, pagedList.total, `${label}: the number of entries and the count`)
  assertEqual(positionsOf(pagedList.entries), positionsOf(wholeList.entries), `${label}: the joined pages`)
  pagedList.entries.forEach((entry, index) => {
    const previous = pagedList.entries[index - 1]
    if (previous !== undefined && !isAfter(list, entry, previous))
      fail(
        `${label}: wrong order: ${previous.time}/${previous.target} is before ${entry.time}/${entry.target}`,
      )
  })
}

/**
 * Asserts that a list that is read newest first is the exact reverse of the list that is read oldest first.
 *
 * @throws Error if it is not. The message contains the position.
 *
 * @example
 * ```ts
 * import { assertDirectionsAgree, createModelStore } from 'kithgraph/testing'
 *
 * const store = createModelStore()
 * await assertDirectionsAgree(store, { source: '1', name: 'likes', limit: 2 })
 * ```
 */
export const assertDirectionsAgree = async (
  reader: StoreReader,
  list: Omit<ListWalk, 'direction'>,
): Promise<void> => {
  const oldest = await readWholeList(reader, { ...list, direction: 'oldest' })
  const newest = await readWholeList(reader, { ...list, direction: 'newest' })
  assertEqual(
    positionsOf(newest.entries),
    positionsOf(oldest.entries.reverse()),
    `the list ${JSON.stringify(list.name)} of ${list.source}: newest first is the reverse of oldest first`,
  )
}
