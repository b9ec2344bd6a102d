import type { Awaitable } from '../../base/awaitable.ts'

/**
 * Lines that something is held for, which is let go of once they were read or reading was broken off, be it before the
 * first line: a generator gets to its `finally` only if it was started, so it is, up to an empty line that nobody sees.
 */
export const heldLines = (lines: Iterable<string>, letGo: () => void): Iterable<string> => {
  const held = (function* () {
    try {
      yield ''
      yield* lines
    } finally {
      letGo()
    }
  })()
  held.next()
  return held
}

/** The same of lines that are waited for. */
export const heldAsyncLines = async (
  lines: AsyncIterable<string>,
  letGo: () => Awaitable<void>,
): Promise<AsyncIterable<string>> => {
  const held = (async function* () {
    try {
      yield ''
      yield* lines
    } finally {
      await letGo()
    }
  })()
  await held.next()
  return held
}
