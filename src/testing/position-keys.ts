import { comparePositions } from '../store/compare-positions.ts'
import type {
  EdgeEntry,
  EdgePosition,
  EdgeRange,
  RangeResult,
  StoreReader,
  StoreReadOptions,
} from '../store/contract.ts'
import { fail } from './assertions.ts'
import { createRange } from './records.ts'

/** The number of entries that are read at once to find the position before another one. */
const PAGE_SIZE = 1000

/**
 * Compares two positions in the order `oldest`, as far as it is known. The store alone orders keys, so positions with
 * keys and the same time are equal only if they are the same position.
 */
export const compareReturnedPositions = (a: EdgePosition, b: EdgePosition, assumed: number): number => {
  if (a.key === undefined || b.key === undefined) return comparePositions(a, b)
  if (a.time !== b.time) return a.time - b.time
  return a.key === b.key && a.target === b.target ? 0 : assumed
}

/** Whether the positions of a result have keys. */
const hasKeys = ({ entries, lastExamined }: RangeResult): boolean =>
  lastExamined?.key !== undefined || entries.some(({ key }) => key !== undefined)

/** Returns a result without keys, which the tests do not expect. A result without keys is returned unchanged. */
export const withoutKeys = (rangeResult: RangeResult): RangeResult => {
  if (!hasKeys(rangeResult)) return rangeResult
  const { entries, lastExamined } = rangeResult
  return {
    ...rangeResult,
    entries: entries.map(({ key: _, ...entry }) => entry),
    lastExamined: lastExamined && { time: lastExamined.time, target: lastExamined.target },
  }
}

/** Reads a range with a limit. */
const readRange = async (
  reader: StoreReader,
  options: StoreReadOptions,
  range: EdgeRange,
): Promise<RangeResult> => {
  const { ranges } = await reader.read({ nodes: [], ranges: [range], checks: [], tokens: [] }, options)
  return ranges[0] ?? fail('expected a result for the range of a read')
}

/**
 * Returns a range that begins at a position as the store returned it. If the positions of the list have keys, that is
 * the position of the last entry that the range leaves out. All entries of the tests have the order of their times.
 */
export const withReturnedPosition = async (
  reader: StoreReader,
  options: StoreReadOptions,
  range: EdgeRange,
): Promise<EdgeRange> => {
  const { source, name, direction, from } = range
  if (from === undefined || from.key !== undefined) return range
  let lastLeftOut: EdgeEntry | undefined
  let pageRange = createRange(source, name, { direction, limit: 1 })
  for (;;) {
    const { entries, hasMore, lastExamined } = await readRange(reader, options, pageRange)
    for (const entry of entries) {
      if (entry.key === undefined) return range
      const difference = comparePositions(entry, from)
      if (direction === 'oldest' ? difference > 0 : difference < 0)
        return { ...range, from: lastLeftOut && toPosition(lastLeftOut) }
      lastLeftOut = entry
    }
    if (!hasMore) return { ...range, from: lastLeftOut && toPosition(lastLeftOut) }
    pageRange = { ...pageRange, from: lastExamined, limit: PAGE_SIZE }
  }
}

const toPosition = ({ time, target, key }: EdgeEntry): EdgePosition => ({ time, target, key })
