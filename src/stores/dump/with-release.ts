import type { Awaitable } from '../../base/awaitable.ts'

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
