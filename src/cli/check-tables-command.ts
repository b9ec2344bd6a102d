import { checkCounters } from '../tables/check/check-counters.ts'
import { holdsAllCharacters } from '../tables/check/check-encoding.ts'
import { checkFields } from '../tables/check/check-fields.ts'
import { checkKeys } from '../tables/check/check-keys.ts'
import { checkStructure } from '../tables/check/check-structure.ts'
import { checkValues } from '../tables/check/check-values.ts'
import type { TableFinding } from '../tables/check/findings.ts'
import type { TableModel } from '../tables/model/table-model.ts'
import { assertUsedTables } from '../tables/row-security-options.ts'
import type { CommandOf } from './arguments.ts'
import type { CommandContext } from './command-context.ts'
import { CommandError } from './command-error.ts'
import { formatCount } from './format-count.ts'
import { formatDifference } from './format-difference.ts'
import { loadTables } from './load-tables.ts'
import { openTables, type TableDatabase } from './open-database.ts'
import { escapeText, quoteName } from './safe-text.ts'

const EXIT_CLEAN = 0
const EXIT_FINDINGS = 1
/** The number of ids that are printed for each counter. */
const MAX_IDS = 3

const ENCODING_NOTE =
  'note: the encoding of the database is not UTF8: a call fails if an id, a cursor or a claim has a character that it lacks'

const ROW = ['row', 'rows'] as const

const quoteAll = (names: readonly string[]): string => names.map(quoteName).join(', ')

const formatStatement = (statement: string): string => `${escapeText(statement)};`

/** Formats an error for a line of output. */
const formatFinding = (finding: TableFinding): string => {
  switch (finding.kind) {
    case 'missingTable':
      return `missing table: ${quoteName(finding.table)}, used by ${quoteAll(finding.usedBy)}`
    case 'changedTable':
      return formatDifference(finding.difference)
    case 'missingIndex':
      return `missing index: ${quoteAll(finding.lists)}: ${formatStatement(finding.statement)}`
    case 'nullableOrder':
      return `order that can be NULL: ${quoteName(finding.list)} by ${quoteName(finding.column)}; declare "nulls"`
    case 'missingRowSecurity':
      return `missing row-level security: ${quoteName(finding.table)}`
    case 'unusableValues':
      return `unusable values: ${quoteName(finding.list)} lacks ${formatCount(finding.count, ROW)}, because ${quoteName(finding.column)} is too long or not valid`
    case 'unusableKeys':
      return `unusable keys: ${quoteName(finding.type)} lacks ${formatCount(finding.count, ROW)}, because the key is too long or not valid for an id`
    case 'repeatedKeys':
      return `repeated keys: ${quoteName(finding.owner)}: several rows have the same key, for ${formatCount(finding.count, ['key', 'keys'])}`
    case 'badValues':
      return `bad values: ${quoteName(finding.owner)}.${quoteName(finding.field)}: ${quoteName(finding.column)} is not valid in ${finding.count} of ${finding.sampled} checked rows, such as ${finding.example}`
    case 'wrongCounter':
      return `wrong counter: ${quoteName(finding.list)}: ${quoteName(finding.column)} is not the number of rows in ${finding.ids.length} of ${finding.sampled} checked nodes, such as ${finding.ids.slice(0, MAX_IDS).join(', ')}`
  }
}

/** Checks the rows. It needs the tables that the graph was declared over. */
const checkRows = async (model: TableModel, database: TableDatabase): Promise<readonly TableFinding[]> => [
  ...(await checkValues(model, database.readNumber)),
  ...(await checkKeys(model, database.readNumber)),
  ...(await checkFields(model, checked => database.openStore({ '~model': checked }))),
  ...(await checkCounters(model, checked => database.openStore({ '~model': checked }))),
]

/**
 * Prints the statements that create the missing indexes, and nothing else.
 *
 * @throws CommandError if the tables have changed, because their indexes may then be others.
 */
const printStatements = (
  structure: readonly TableFinding[],
  print: CommandContext['print'],
  isDrifted: boolean,
): number => {
  if (isDrifted)
    throw new CommandError('the tables have changed: run the command without --sql, which prints the changes')
  for (const finding of structure)
    if (finding.kind === 'missingIndex') print(formatStatement(finding.statement))
  return EXIT_CLEAN
}

/** Compares a graph over tables with a database. Returns the exit status: 1 if there are errors. */
export const runCheckTables = async (
  { url, graphFile, printsSql }: CommandOf<'check tables'>,
  context: CommandContext,
): Promise<number> => {
  const { print, folder } = context
  const { tables, rowSecurity } = await loadTables(graphFile, folder)
  const { '~model': model } = tables
  assertUsedTables(`the graph file ${graphFile}`, model, 'rowSecurity', rowSecurity)
  const schemas = model.tables.flatMap(({ name }) => name.schema ?? [])
  const selection = schemas.length === 0 ? {} : { schemas: [...new Set(schemas)] }
  const { database, description } = await openTables(url, folder, selection)
  try {
    if (description.dialect !== model.dialect)
      throw new CommandError(`the graph file ${graphFile} is over a database of ${model.dialect}`)
    const structure = checkStructure(model, description, rowSecurity)
    const isDrifted = structure.some(({ kind }) => kind === 'missingTable' || kind === 'changedTable')
    if (printsSql) return printStatements(structure, print, isDrifted)
    const findings = isDrifted ? structure : [...structure, ...(await checkRows(model, database))]
    for (const finding of findings) print(formatFinding(finding))
    if (isDrifted) print('note: the rows are not checked, because the tables have changed')
    if (!(await holdsAllCharacters(model, database.readNumber))) print(ENCODING_NOTE)
    const result = findings.length === 0 ? 'no errors' : formatCount(findings.length, ['error', 'errors'])
    print(`checked ${formatCount(model.tables.length, ['table', 'tables'])}: ${result}`)
    return findings.length === 0 ? EXIT_CLEAN : EXIT_FINDINGS
  } finally {
    await database.close()
  }
}
