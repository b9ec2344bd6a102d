import type { Awaitable } from '../base/awaitable.ts'
import type { EdgeRecord, NodeRecord } from '../store/contract.ts'

/** The record in a line of a dump. */
export type DumpRecord = { readonly node: NodeRecord } | { readonly edge: EdgeRecord }

/**
 * Formats a record as a line of NDJSON for `graph.load`, with its line break. An edge without data has no
 * `data` member.
 */
export const toDumpLine = (record: DumpRecord): string => `${JSON.stringify(record)}\n`

/** The maximum number of records whose sizes one statement reads. */
export const RECORDS_PER_SIZE_READ = 1000

/**
 * The maximum size of a page of records, in bytes or characters: far below the maximum string length, and
 * large enough that a dump needs few statements.
 */
const MAX_PAGE_SIZE = 8 * 1024 * 1024

/**
 * Divides records into pages of at most `MAX_PAGE_SIZE`. A larger record gets its own page. `sizes` are in
 * bytes or characters. Returns the number of records in each page.
 */
export const divideIntoPages = (sizes: Iterable<number>): readonly number[] => {
  const counts: number[] = []
  let pageSize = Number.POSITIVE_INFINITY
  for (const size of sizes) {
    pageSize += size
    if (pageSize > MAX_PAGE_SIZE) {
      counts.push(0)
      pageSize = size
    }
    counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1
  }
  return counts
}

/**
 * Returns the lines, and calls `release` after the last line or when reading stops, even before the first
 * line. A generator executes `finally` only if it has been started, so this function starts the generator and
 * drops its first, empty line.
 */
export const withRelease = (lines: Iterable<string>, release: () => void): Iterable<string> => {
  const generator = (function* () {
    try {
      yield ''
      yield* lines
    } finally {
      release()
    }
  })()
  generator.next()
  return generator
}

/** The asynchronous variant of `withRelease`. */
export const withAsyncRelease = async (
  lines: AsyncIterable<string>,
  release: () => Awaitable<void>,
): Promise<AsyncIterable<string>> => {
  const generator = (async function* () {
    try {
      yield ''
      yield* lines
    } finally {
      await release()
    }
  })()
  await generator.next()
  return generator
}
