import type fastCheck from 'fast-check'

/** The caller's fast-check, so that the suite uses the installed version: `import fc from 'fast-check'`. */
export type FastCheck = typeof fastCheck

/**
 * The required part of a test runner: those of vitest, Jest, Mocha, `node:test` and Bun are all assignable.
 */
export type TestRunner = {
  /** Groups tests; calls `body` before it returns. */
  readonly describe: (name: string, body: () => void) => unknown
  /** Declares a test, which fails if its promise rejects. */
  readonly it: (name: string, body: () => Promise<void>) => unknown
  readonly fc: FastCheck
  /** The number of runs of each property. Default 100. */
  readonly runs?: number | undefined
}
