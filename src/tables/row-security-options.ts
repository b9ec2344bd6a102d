import { describeUnknownName } from '../base/suggest.ts'
import { formatChoices, usageError } from '../base/usage-error.ts'
import type { TableModel, TableName } from './model/table-model.ts'

/** The options of a table store about row-level security. */
export type RowSecurityOptions = {
  readonly settings?: object | undefined
  readonly rowSecurity?: readonly string[] | undefined
  readonly withoutRowSecurity?: readonly string[] | undefined
}

const CALLER = 'createTableStore'

/**
 * Checks the names of tables in an option.
 *
 * @throws TypeError for a table that the graph does not use.
 */
export const assertUsedTables = (
  caller: string,
  { tables }: TableModel,
  option: string,
  names: readonly string[],
): void => {
  const known = tables.map(({ key }) => key)
  const unknown = names.find(name => !known.includes(name))
  if (unknown === undefined) return
  const expected = `names of tables that the graph uses: ${formatChoices(known)}`
  throw usageError(caller, option, expected, describeUnknownName(unknown, known))
}

/**
 * Returns the tables that have row-level security.
 *
 * @throws TypeError if a table of the graph is in none of the two options although there are settings, or in both.
 */
export const resolveRowSecurity = (
  model: TableModel,
  { settings, rowSecurity = [], withoutRowSecurity = [] }: RowSecurityOptions,
): readonly TableName[] => {
  assertUsedTables(CALLER, model, 'rowSecurity', rowSecurity)
  assertUsedTables(CALLER, model, 'withoutRowSecurity', withoutRowSecurity)
  if (settings === undefined && rowSecurity.length > 0)
    throw usageError(CALLER, 'settings', 'a function, because rowSecurity is given', 'undefined')
  const both = rowSecurity.filter(name => withoutRowSecurity.includes(name))
  if (both.length > 0)
    throw usageError(CALLER, 'withoutRowSecurity', 'tables that are not in rowSecurity', both.join(', '))
  const missing = model.tables
    .map(({ key }) => key)
    .filter(name => !rowSecurity.includes(name) && !withoutRowSecurity.includes(name))
  if (settings !== undefined && missing.length > 0)
    throw usageError(
      CALLER,
      'rowSecurity',
      'together with withoutRowSecurity, all tables that the graph uses',
      `none of ${missing.join(', ')}`,
    )
  return model.tables.filter(({ key }) => rowSecurity.includes(key)).map(({ name }) => name)
}
