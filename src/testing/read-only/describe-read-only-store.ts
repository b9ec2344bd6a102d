import type { IdKind } from '../../base/ids.ts'
import type { Session } from '../../base/session.ts'
import { describeAhead } from '../sections/ahead.ts'
import { describeChecks } from '../sections/checks.ts'
import { describeCounts } from '../sections/counts.ts'
import { describeEdges } from '../sections/edges.ts'
import { describeHubs } from '../sections/hubs.ts'
import { describeImmutability } from '../sections/immutability.ts'
import { describeLifecycle } from '../sections/lifecycle.ts'
import { describeLongLists } from '../sections/long-lists.ts'
import { describeNamedIds } from '../sections/named-ids.ts'
import { describeNodes } from '../sections/nodes.ts'
import { describeRangeConditions } from '../sections/range-conditions.ts'
import { describeRanges } from '../sections/ranges.ts'
import { describeReads } from '../sections/reads.ts'
import { describeText } from '../sections/text.ts'
import { describeTokens } from '../sections/tokens.ts'
import { createStoreSuite, idKindsOf, type StoreSuite, type TestRunner } from '../store-suite.ts'
import { KnownRecords } from './known-records.ts'
import { type CreateStoreWith, createPreparedStore } from './prepared-store.ts'
import { createSampleRecords } from './sample-records.ts'
import { describeKnownRecords } from './sections.ts'
import { renameRecords, type StoreRecords } from './store-records.ts'

/** A store to test whose `write` throws, such as a store over the tables of an application. */
export type ReadOnlyStoreUnderTest = {
  readonly name: string
  /**
   * Creates a store, not open yet, that contains exactly the given records. Put the records into the tables
   * that the store reads. The caller opens and closes the store, and uses one store at a time.
   */
  readonly create: CreateStoreWith
  /**
   * The records of every store that `create` creates, if the store cannot contain any others: its tables may
   * allow only some types, edges and fields. Default: `create` receives the records of each test.
   */
  readonly records?: StoreRecords | undefined
  /** Whether the store keeps tokens. Otherwise, it must return undefined for every digest. Default true. */
  readonly keepsTokens?: boolean | undefined
  /** The session that sees the records. Required for a store with the capability `bySession`. */
  readonly session?: Session | undefined
}

type Section = readonly [name: string, declare: (suite: StoreSuite) => void]

const PREPARED_SECTIONS: readonly Section[] = [
  ['lifecycle', describeLifecycle],
  ['nodes', describeNodes],
  ['edges', describeEdges],
  ['ranges', describeRanges],
  ['named ids', describeNamedIds],
  ['counts', describeCounts],
  ['checks', describeChecks],
  ['immutability', describeImmutability],
  ['text', describeText],
  ['reads', describeReads],
  ['hubs', describeHubs],
  ['reading ahead', describeAhead],
  ['conditions of ranges', describeRangeConditions],
  ['long lists', describeLongLists],
]
const TOKEN_SECTION: Section = ['tokens', describeTokens]

const NO_RECORDS: StoreRecords = { nodes: [], edges: [], tokens: [] }

/** Creates a function that returns the kinds of ids of a store, which it creates once. */
const createKindFinder = (create: CreateStoreWith): (() => Promise<readonly IdKind[]>) => {
  const readKinds = async (): Promise<readonly IdKind[]> => {
    const store = await create(NO_RECORDS)
    await store.open()
    await store.close()
    return idKindsOf(store)
  }
  let kinds: Promise<readonly IdKind[]> | undefined
  return () => {
    kinds ??= readKinds()
    return kinds
  }
}

/**
 * Declares the tests about reads that every store must pass, for a store that cannot write.
 *
 * Without `records`, these are the tests of `describeStore` about reads. `create` receives the records of each
 * test, and again if the test changes them. Each test runs with each kind of ids that the store has. With
 * `records`, the tests read these records in many ways, and compare each result with the result of a simple model.
 * The tests also expect that `write` throws.
 *
 * @example
 * ```ts
 * import fc from 'fast-check'
 * import { createMemoryStore } from 'kithgraph/memory'
 * import { describeReadOnlyStore, type StoreRecords } from 'kithgraph/testing'
 *
 * // In a test file these two come from the runner: `import { describe, it } from 'vitest'`.
 * const tests: string[] = []
 * const describe = (_: string, body: () => void) => body()
 * const it = (name: string) => tests.push(name)
 *
 * const create = ({ nodes, edges }: StoreRecords) => {
 *   const store = createMemoryStore()
 *   store.write(nodes.map(node => ({ op: 'putNode', node })))
 *   store.write(edges.map(edge => ({ op: 'putEdge', edge })))
 *   const write = () => {
 *     throw new Error('This store is read-only')
 *   }
 *   return { ...store, write }
 * }
 * describeReadOnlyStore({ describe, it, fc }, { name: 'a view', create, keepsTokens: false })
 * console.log(tests.length > 40) // true
 * ```
 */
export const describeReadOnlyStore = (
  runner: TestRunner,
  { name, create, records, keepsTokens = true, session }: ReadOnlyStoreUnderTest,
): void => {
  const { nodes, edges, tokens } = records ?? createSampleRecords()
  const knownRecords = { nodes, edges, tokens: keepsTokens ? tokens : [] }
  const sessions = session && ([session] as const)
  const settings = { isWritable: false, sessions }
  const knownSuite = createStoreSuite(
    runner,
    ids => create(ids === 'digits' ? knownRecords : renameRecords(knownRecords)),
    // Given records stay as they are, whatever the kind of their ids is.
    {
      ...settings,
      keepsKeys: records !== undefined,
      findIdKinds: records === undefined ? createKindFinder(create) : async () => ['digits'],
    },
  )
  runner.describe(`the reads of the store contract: ${name}`, () => {
    if (records === undefined) {
      const suite = createStoreSuite(runner, () => createPreparedStore(create, keepsTokens), settings)
      for (const [section, declare] of [...PREPARED_SECTIONS, ...(keepsTokens ? [TOKEN_SECTION] : [])])
        runner.describe(section, () => declare(suite))
    }
    runner.describe('known records', () => describeKnownRecords(knownSuite, new KnownRecords(knownRecords)))
  })
}
