import fc from 'fast-check'
import { describeStore, type StoreUnderTest } from 'kithgraph/testing'

/** A test that the suite declares, under the section it is in. */
export type CollectedTest = {
  readonly section: string
  readonly name: string
  readonly body: () => Promise<void>
}

/** What the suite declares for a store, collected instead of run. */
export const collectTests = (store: StoreUnderTest, runs?: number): CollectedTest[] => {
  const path: string[] = []
  const tests: CollectedTest[] = []
  describeStore(
    {
      describe: (name, body) => {
        path.push(name)
        body()
        path.pop()
      },
      it: (name, body) => tests.push({ section: path.at(-1) ?? '', name, body }),
      fc,
      runs,
    },
    store,
  )
  return tests
}

/** The name of the first test that fails, with its error; undefined where none does. */
export const firstFailureOf = async (tests: readonly CollectedTest[]): Promise<string | undefined> => {
  for (const { section, name, body } of tests) {
    const failure = await body().catch((error: unknown) => `${section}: ${name}: ${error}`)
    if (failure !== undefined) return failure
  }
  return undefined
}
