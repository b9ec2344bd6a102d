import { comparePositions } from '../store/compare-positions.ts'
import type { EdgeEntry, EdgeRange, StoreReader } from '../store/contract.ts'
import { assertEqual, fail } from './assertions.ts'

/** A list of edges, read with `limit` entries per page. */
export type ListWalk = Pick<EdgeRange, 'source' | 'name' | 'direction' | 'limit'>

const directionSignOf = ({ direction }: ListWalk): number => (direction === 'oldest' ? 1 : -1)

/** Reads all entries of a list in order, page by page, and its count. */
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
    const lastExamined = rangeResult.lastExamined ?? fail('expected lastExamined in a result with hasMore')
    if (range.from !== undefined && directionSignOf(list) * comparePositions(lastExamined, range.from) <= 0)
      fail(`expected an entry after ${range.from.time}/${range.from.target}, where the range began`)
    range = { ...range, from: lastExamined }
  }
}

const positionsOf = (entries: readonly EdgeEntry[]) => entries.map(({ time, target }) => ({ time, target }))

/**
 * Asserts that the joined pages of a list are the whole list, strictly in the order of its direction, and as
 * many entries as its count.
 *
 * @throws Error if they are not, with the position.
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
  const label = `the pages of ${list.limit}, ${list.direction} first, of the list ${JSON.stringify(list.name)} of ${list.source}`
  const pagedList = await readWholeList(reader, list)
  const wholeList = await readWholeList(reader, { ...list, limit: Math.max(1, pagedList.total) })
  assertEqual(pagedList.entries.length, pagedList.total, `${label}: the number of entries and the count`)
  assertEqual(positionsOf(pagedList.entries), positionsOf(wholeList.entries), `${label}: the joined pages`)
  pagedList.entries.forEach((entry, index) => {
    const previous = pagedList.entries[index - 1]
    if (previous !== undefined && directionSignOf(list) * comparePositions(entry, previous) <= 0)
      fail(
        `${label}: wrong order, ${previous.time}/${previous.target} is before ${entry.time}/${entry.target}`,
      )
  })
}

/**
 * Asserts that a list newest first is the exact reverse of the list oldest first.
 *
 * @throws Error if it is not, with the position.
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
    `${JSON.stringify(list.name)} of ${list.source}, newest first, is the mirror of oldest first`,
  )
}
