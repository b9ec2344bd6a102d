import type { Awaitable } from '../base/awaitable.ts'
import type { EdgeRecord, NodeRecord } from '../store/contract.ts'

/** The record in a line of a dump. */
export type DumpRecord = { readonly node: NodeRecord } | { readonly edge: EdgeRecord }

/**
 * Formats a line of NDJSON with its line break, as `graph.load` reads it. An edge without data has no such
 * member.
 */
export const toDumpLine = (record: DumpRecord): string => `${JSON.stringify(record)}\n`

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
