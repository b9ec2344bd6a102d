import type { NodeId } from '../../base/ids.ts'
import type { EdgeEntry, EdgeRange, RangeResult } from '../../store/contract.ts'
import { assertEqual, fail } from '../assertions.ts'
import { createRange } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import { assertHeldCondition } from './held-conditions.ts'

/**
 * Compares the numbers of a result under conditions with the rows of the same range without conditions. Returns the
 * number of examined rows.
 */
export const assertExaminedRows = (
  result: RangeResult,
  { limit, maxExamined = Number.MAX_SAFE_INTEGER }: Pick<EdgeRange, 'limit' | 'maxExamined'>,
  rows: readonly EdgeEntry[],
): number => {
  const examined = result.examined ?? fail('expected "examined" in the result of a range with conditions')
  if (examined > maxExamined) fail(`expected at most ${maxExamined} examined rows; received ${examined}`)
  if (result.entries.length > limit) fail(`expected at most ${limit} entries`)
  if (result.hasMore && examined === 0) fail('expected an examined row if the range has more')
  assertEqual(result.hasMore, examined < rows.length, '"hasMore" after the examined rows')
  const last = rows[examined - 1]?.target
  assertEqual(result.lastExamined?.target, last, 'the last examined row')
  if (result.entries.length === limit)
    assertEqual(
      result.entries.at(-1)?.target,
      last,
      'the last entry as the last examined row of a full range',
    )
  return examined
}

/** Reads a whole list under conditions, range by range, and returns its targets. `rows` is the list without them. */
export const readPassingTargets = async (
  store: StoreProbe,
  list: Pick<EdgeRange, 'source' | 'name' | 'conditions' | 'direction' | 'limit' | 'maxExamined'>,
  rows: readonly EdgeEntry[],
): Promise<readonly NodeId[]> => {
  const targets: NodeId[] = []
  let start = 0
  for (let from: EdgeRange['from']; start < rows.length; ) {
    const range = { ...createRange(list.source, list.name, { from }), ...list }
    const { ranges } = await store.read({ ranges: [range] })
    const result = ranges[0] ?? fail('expected a result for the range of a read')
    targets.push(...result.entries.map(({ target }) => target))
    for (const { node } of result.entries) await assertHeldCondition(store, list.conditions, node)
    start += assertExaminedRows(result, range, rows.slice(start))
    from = result.lastExamined
    if (!result.hasMore) break
  }
  return targets
}
