import type fastCheck from 'fast-check'

/** The fast-check of the caller, so that the suite runs on the version that is there: `import fc from 'fast-check'`. */
export type FastCheck = typeof fastCheck

/**
 * What the suite needs of a test runner: those of vitest, Jest, Mocha, `node:test` and Bun all fit.
 */
export type TestRunner = {
  /** Groups tests; calls `body` before it returns. */
  readonly describe: (name: string, body: () => void) => unknown
  /** Declares a test, which fails where its promise rejects. */
  readonly it: (name: string, body: () => Promise<void>) => unknown
  readonly fc: FastCheck
  /** How often each property is tried; 100 unless given. */
  readonly runs?: number | undefined
}
