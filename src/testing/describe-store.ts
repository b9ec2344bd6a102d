import type { Awaitable } from '../base/awaitable.ts'
import type { Store } from '../store/contract.ts'
import type { TestRunner } from './runner.ts'
import { describeBatches } from './sections/batches.ts'
import { describeConcurrency } from './sections/concurrency.ts'
import { describeCounts } from './sections/counts.ts'
import { describeDeletion } from './sections/deletion.ts'
import { describeEdges } from './sections/edges.ts'
import { describeHubs } from './sections/hubs.ts'
import { describeImmutability } from './sections/immutability.ts'
import { describeLifecycle } from './sections/lifecycle.ts'
import { describeLongLists } from './sections/long-lists.ts'
import { describeNodes } from './sections/nodes.ts'
import { describeRaces } from './sections/races.ts'
import { describeRanges } from './sections/ranges.ts'
import { describeSequences } from './sections/sequences.ts'
import { describeSnapshots } from './sections/snapshots.ts'
import { describeTests } from './sections/tests.ts'
import { describeText } from './sections/text.ts'
import { describeTokens } from './sections/tokens.ts'
import { describeWaves } from './sections/waves.ts'
import { createStoreSuite, type StoreSuite } from './store-suite.ts'

/** A store that is to be tested. */
export type StoreUnderTest = {
  readonly name: string
  /** Gives a store that holds nothing and was not opened yet, each time. It is opened and closed by who asked. */
  readonly create: () => Awaitable<Store>
}

const SECTIONS: readonly (readonly [name: string, declare: (suite: StoreSuite) => void])[] = [
  ['lifecycle', describeLifecycle],
  ['nodes', describeNodes],
  ['edges', describeEdges],
  ['ranges', describeRanges],
  ['counts', describeCounts],
  ['tests', describeTests],
  ['tokens', describeTokens],
  ['deletion', describeDeletion],
  ['batches', describeBatches],
  ['snapshots', describeSnapshots],
  ['immutability', describeImmutability],
  ['text', describeText],
  ['waves', describeWaves],
  ['concurrency', describeConcurrency],
  ['races', describeRaces],
  ['hubs', describeHubs],
  ['long lists', describeLongLists],
  ['any sequence of writes and reads', describeSequences],
]

/**
 * Declares the tests that every store has to pass, with the test runner and the fast-check that are given. There is
 * nothing to skip: what a store's `capabilities` promise is tested, and what they do not promise it has to refuse.
 *
 * @example
 * ```ts
 * import fc from 'fast-check'
 * import { createMemoryStore } from 'kithgraph/memory'
 * import { describeStore } from 'kithgraph/testing'
 *
 * // In a test file these two come from the runner: `import { describe, it } from 'vitest'`.
 * const sections: string[] = []
 * const describe = (name: string, body: () => void) => {
 *   sections.push(name)
 *   body()
 * }
 * const it = () => undefined
 *
 * describeStore({ describe, it, fc }, { name: 'memory', create: () => createMemoryStore() })
 * console.log(sections[0]) // the store contract: memory
 * ```
 */
export const describeStore = (runner: TestRunner, { name, create }: StoreUnderTest): void => {
  const suite = createStoreSuite(runner, create)
  runner.describe(`the store contract: ${name}`, () => {
    for (const [section, declare] of SECTIONS) runner.describe(section, () => declare(suite))
  })
}
