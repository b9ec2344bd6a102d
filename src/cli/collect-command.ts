import { collectEntries, completeLists } from '../check/collect.ts'
import { findListFlags } from '../schema/list-flags.ts'
import type { Schema } from '../schema/schema.ts'
import { CollectReport } from './collect-report.ts'
import type { CommandContext } from './command-context.ts'
import { CommandError } from './command-error.ts'
import type { StoreConnection } from './store-connection.ts'

const EXIT_COMPLETE = 0
const EXIT_UNORDERED = 1

/**
 * Builds the collections and further orders of a schema, and sets their completion flags. Returns the exit
 * status: 1 if records are not in their lists, because they have no valid value.
 *
 * @throws CommandError if the store has no collections, or with the given message if it contains no record.
 */
export const runCollect = async (
  connection: StoreConnection,
  schema: Schema,
  emptyMessage: string | undefined,
  { print, signal }: CommandContext,
): Promise<number> => {
  const flagsByList = findListFlags(schema)
  if (flagsByList.size === 0) {
    print('the schema declares no collection and no order by a field, so there is nothing to build')
    return EXIT_COMPLETE
  }
  const store = await connection.openStore()
  if (!store.capabilities.collections) throw new CommandError('this store has no collections and orders')
  const report = new CollectReport(flagsByList, print)
  const sink = {
    onProgress: report.printProgress.bind(report),
    onUnordered: report.addUnordered.bind(report),
    onDamaged: report.addDamaged.bind(report),
  }
  const counts = await collectEntries(connection.inspector, store, schema, sink, signal)
  if (counts.nodes + counts.edges === 0 && report.isEmpty && emptyMessage !== undefined)
    throw new CommandError(emptyMessage)
  await completeLists(store, schema, signal)
  report.printSummary(counts)
  return report.isEmpty ? EXIT_COMPLETE : EXIT_UNORDERED
}
