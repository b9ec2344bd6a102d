import { setImmediate } from 'node:timers/promises'
import { type CheckedSchema, checkStore } from '../check/check-store.ts'
import { readListStates } from '../check/list-states.ts'
import { repairActionOf } from '../check/repair-plan.ts'
import { findListFlags } from '../schema/list-flags.ts'
import type { Schema } from '../schema/schema.ts'
import type { Store } from '../store/contract.ts'
import type { Finding, StoreInspector } from '../store/inspection.ts'
import { CheckReport } from './check-report.ts'
import type { CommandContext } from './command-context.ts'
import { CommandError } from './command-error.ts'
import { formatCount } from './format-count.ts'
import type { StoreConnection } from './store-connection.ts'

/** The changes that the user allows, and the message of the error if the store contains nothing at all. */
type CheckStoreOptions = {
  readonly repairs: boolean
  readonly removes: boolean
  readonly emptyMessage: string | undefined
}

const EXIT_CLEAN = 0
const EXIT_FINDINGS = 1

/** The store of a check. */
type CheckedStore = {
  readonly inspector: StoreInspector
  /** The open store, if the schema declares collections or further orders. */
  readonly store: Store | undefined
  readonly checked: CheckedSchema | undefined
  /** The collections and orders whose completion flags are not set, in words. */
  readonly incompleteLists: readonly string[]
}

/** Opens the store of a connection, if its collections and orders are checked, and reads their flags. */
const openCheckedStore = async (
  connection: StoreConnection,
  schema: Schema | undefined,
): Promise<CheckedStore> => {
  const { inspector } = connection
  const store =
    schema === undefined || findListFlags(schema).size === 0 ? undefined : await connection.openStore()
  if (schema === undefined || !store?.capabilities.collections) {
    const checked = schema && { schema, completeLists: new Set<string>() }
    return { inspector, store: undefined, checked, incompleteLists: [] }
  }
  const { completeLists, incompleteLists } = await readListStates(store, schema)
  return { inspector, store, checked: { schema, completeLists }, incompleteLists }
}

/**
 * Checks a store and prints what it finds.
 *
 * @throws CommandError with the given message if the store contains nothing.
 */
const report = async (
  { inspector, checked, incompleteLists }: CheckedStore,
  emptyMessage: string | undefined,
  { print, signal }: CommandContext,
): Promise<CheckReport> => {
  const result = new CheckReport(print)
  for (const description of incompleteLists) result.addIncompleteList(description)
  const counts = await checkStore(
    inspector,
    checked,
    {
      onFinding: finding => result.addFinding(finding),
      onLeftover: leftover => result.addLeftover(leftover),
      onSchemaError: (error, id) => result.addSchemaError(error, id),
    },
    signal,
  )
  const isNothingFound =
    counts.nodes + counts.edges + counts.entries === 0 && result.isEmpty && !result.hasLeftovers
  if (isNothingFound && emptyMessage !== undefined) throw new CommandError(emptyMessage)
  result.printSummary(counts)
  return result
}

/**
 * Reads the store again and repairs each finding where it is found, so that findings need no memory. Returns
 * the number of repairs.
 */
const repair = async (
  { inspector, store, checked }: CheckedStore,
  { removes }: CheckStoreOptions,
  { signal }: CommandContext,
): Promise<number> => {
  let repaired = 0
  const onFinding = async (finding: Finding): Promise<void> => {
    // A driver of SQLite never waits, and a signal handler runs only in between.
    await setImmediate()
    signal.throwIfAborted()
    const action = repairActionOf(finding)
    if (action === 'none' || (action === 'remove' && !removes)) return
    if ('entry' in finding) {
      await store?.write([{ op: 'deriveEntry', entry: finding.entry }], { signal })
      repaired++
    } else if (await inspector.repair(finding)) repaired++
  }
  await checkStore(inspector, checked, { onFinding, onLeftover: onFinding, onSchemaError: () => {} }, signal)
  return repaired
}

const ENTRY = ['entry', 'entries'] as const

const printPlan = (result: CheckReport, removes: boolean, print: (line: string) => void): void => {
  const removals = result.countOf('remove')
  print(
    `repair: adds ${formatCount(result.countOf('add'), ENTRY)}, ` +
      `corrects ${formatCount(result.countOf('correct'), ['count', 'counts'])}, ` +
      `derives ${formatCount(result.countOf('derive'), ENTRY)} again, ` +
      `completes the writes of ${formatCount(result.countOf('complete'), ['node', 'nodes'])}, ` +
      `removes ${formatCount(removes ? removals : 0, ENTRY)}`,
  )
  if (!removes && removals > 0)
    print(`repair: ${formatCount(removals, ENTRY)} could be removed with --remove`)
}

const statusOf = (result: CheckReport): number => (result.isEmpty ? EXIT_CLEAN : EXIT_FINDINGS)

/**
 * Checks a store. With `repairs`, prints the number of changes, makes them, and checks the store again.
 * Returns the exit status: 1 if the store has errors at the end.
 */
export const runCheckStore = async (
  connection: StoreConnection,
  schema: Schema | undefined,
  options: CheckStoreOptions,
  context: CommandContext,
): Promise<number> => {
  const checkedStore = await openCheckedStore(connection, schema)
  const result = await report(checkedStore, options.emptyMessage, context)
  const hasLeftovers = result.countOf('complete') > 0 || (options.removes && result.countOf('remove') > 0)
  if (!options.repairs || (result.isEmpty && !hasLeftovers)) return statusOf(result)
  printPlan(result, options.removes, context.print)
  const repaired = await repair(checkedStore, options, context)
  context.print(`repair: made ${formatCount(repaired, ['change', 'changes'])}; checking again`)
  return statusOf(await report(checkedStore, undefined, context))
}
