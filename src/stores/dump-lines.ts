import type { Awaitable } from '../base/awaitable.ts'
import type { EdgeRecord, NodeRecord } from '../store/contract.ts'

/** The record in a line of a dump. */
export type DumpRecord = { readonly node: NodeRecord } | { readonly edge: EdgeRecord }

/**
 * Formats a line of NDJSON with its line break, as `graph.load` reads it. An edge without data has no such
 * member.
 */
export const toDumpLine = (record: DumpRecord): string => `${JSON.stringify(record)}\n`

/** The maximum number of records whose sizes are read at once. */
export const RECORDS_PER_SIZE_READ = 1000

/** The maximum size of a page of records: far less than the longest string, and enough for few statements. */
const MAX_PAGE_SIZE = 8 * 1024 * 1024

/**
 * Divides records, given by their sizes in bytes or characters, into pages of limited size. A larger record
 * is a page by itself. Returns the number of records of each page.
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
 * Returns lines that hold a resource, and releases it when they have been read or reading stops, even before
 * the first line: a generator reaches its `finally` only if it was started, so it is started here, up to an
 * empty line that is not returned.
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
