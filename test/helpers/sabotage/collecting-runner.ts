import fc from 'fast-check'
import { describeStore, type StoreUnderTest, type TestRunner } from 'kithgraph/testing'

/** A test of the suite, with its section. */
export type CollectedTest = {
  readonly section: string
  readonly name: string
  readonly body: () => Promise<void>
}

/** Collects the tests that a function declares, instead of running them. */
export const collectDeclared = (declare: (runner: TestRunner) => void, runs?: number): CollectedTest[] => {
  const path: string[] = []
  const tests: CollectedTest[] = []
  declare({
    describe: (name, body) => {
      path.push(name)
      body()
      path.pop()
    },
    it: (name, body) => tests.push({ section: path.at(-1) ?? '', name, body }),
    fc,
    runs,
  })
  return tests
}

/** Collects the tests of the suite for a store instead of running them. */
export const collectTests = (store: StoreUnderTest, runs?: number): CollectedTest[] =>
  collectDeclared(runner => describeStore(runner, store), runs)

/** Runs tests, and returns the name and the error of the first failure. Returns `undefined` if none fails. */
export const findFirstFailure = async (tests: readonly CollectedTest[]): Promise<string | undefined> => {
  for (const { section, name, body } of tests) {
    const failure = await body().catch((error: unknown) => `${section}: ${name}: ${error}`)
    if (failure !== undefined) return failure
  }
  return undefined
}
