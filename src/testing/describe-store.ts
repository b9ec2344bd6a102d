import type { Awaitable } from '../base/awaitable.ts'
import type { Store } from '../store/contract.ts'
import { describeAhead } from './sections/ahead.ts'
import { describeBatchIds } from './sections/batch-ids.ts'
import { describeBatches } from './sections/batches.ts'
import { describeChecks } from './sections/checks.ts'
import { describeCollections } from './sections/collections.ts'
import { describeConcurrency } from './sections/concurrency.ts'
import { describeConditionalBatches } from './sections/conditional-batches.ts'
import { describeConditionalRaces } from './sections/conditional-races.ts'
import { describeConditions } from './sections/conditions.ts'
import { describeCounts } from './sections/counts.ts'
import { describeDeletion } from './sections/deletion.ts'
import { describeEdges } from './sections/edges.ts'
import { describeHubs } from './sections/hubs.ts'
import { describeImmutability } from './sections/immutability.ts'
import { describeIncrements } from './sections/increments.ts'
import { describeLifecycle } from './sections/lifecycle.ts'
import { describeLongLists } from './sections/long-lists.ts'
import { describeMirrors } from './sections/mirrors.ts'
import { describeNamedIds } from './sections/named-ids.ts'
import { describeNodes } from './sections/nodes.ts'
import { describeRaces } from './sections/races.ts'
import { describeRangeConditions } from './sections/range-conditions.ts'
import { describeRanges } from './sections/ranges.ts'
import { describeReads } from './sections/reads.ts'
import { describeSequences } from './sections/sequences.ts'
import { describeSessions } from './sections/sessions.ts'
import { describeSnapshots } from './sections/snapshots.ts'
import { describeText } from './sections/text.ts'
import { describeTokens } from './sections/tokens.ts'
import { createStoreSuite, type SessionPair, type StoreSuite, type TestRunner } from './store-suite.ts'

/** A store to test. */
export type StoreUnderTest = {
  readonly name: string
  /** Creates a new, empty store that is not open yet. The caller opens and closes the store. */
  readonly create: () => Awaitable<Store>
  /**
   * Two sessions that see different data. Required for a store with the capability `bySession`. The tests of one
   * session use the first one.
   */
  readonly sessions?: SessionPair | undefined
}

const SECTIONS: readonly (readonly [name: string, declare: (suite: StoreSuite) => void])[] = [
  ['lifecycle', describeLifecycle],
  ['nodes', describeNodes],
  ['edges', describeEdges],
  ['ranges', describeRanges],
  ['named ids', describeNamedIds],
  ['counts', describeCounts],
  ['checks', describeChecks],
  ['tokens', describeTokens],
  ['sessions', describeSessions],
  ['deletion', describeDeletion],
  ['batches', describeBatches],
  ['mirrored edges', describeMirrors],
  ['conditions', describeConditions],
  ['batches with conditions', describeConditionalBatches],
  ['increments', describeIncrements],
  ['ids of batches', describeBatchIds],
  ['collections and orders', describeCollections],
  ['snapshots', describeSnapshots],
  ['immutability', describeImmutability],
  ['text', describeText],
  ['reads', describeReads],
  ['concurrency', describeConcurrency],
  ['races', describeRaces],
  ['races of conditional writes', describeConditionalRaces],
  ['hubs', describeHubs],
  ['long lists', describeLongLists],
  ['reading ahead', describeAhead],
  ['conditions of ranges', describeRangeConditions],
  ['any sequence of writes and reads', describeSequences],
]

/**
 * Declares the tests that every store must pass, with the given test runner and fast-check. You do not have
 * to skip any tests: the suite tests the capabilities that a store declares, and expects the store to reject
 * the others. Each test runs with each kind of ids that the store has.
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
export const describeStore = (runner: TestRunner, { name, create, sessions }: StoreUnderTest): void => {
  const suite = createStoreSuite(runner, () => create(), { sessions })
  runner.describe(`the store contract: ${name}`, () => {
    for (const [section, declare] of SECTIONS) runner.describe(section, () => declare(suite))
  })
}
