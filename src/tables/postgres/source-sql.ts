import type { ListMapping } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { allOf, tableSql } from '../sql/sql-text.ts'
import { exactKeySql, requestedKeySql } from './requested-rows.ts'
import { columnsEqualSql, nodeSql } from './row-sql.ts'
import { columnsOfSource, selectedColumnsSql } from './selected-columns.ts'

/** The alias of the row of the source. */
const SOURCE = 'source'

/**
 * Returns the row of the source of a list, which must be a node. A collection has none.
 *
 * @param isCounted Whether the row must have the column that counts the list.
 */
export const sourceSql = (
  list: ListMapping,
  sessionFilters: SessionFilters,
  isCounted = false,
): { readonly alias: string | undefined; readonly from: string } => {
  const { source } = list
  if (source === undefined) return { alias: undefined, from: '' }
  const conditions = [
    ...columnsEqualSql('node', source.keys, requestedKeySql('s', source.keys)),
    ...exactKeySql('node', 's', source.keys),
    ...nodeSql(source, 'node', sessionFilters),
  ]
  const selected = selectedColumnsSql('node', columnsOfSource(list, isCounted))
  const lookup = `select ${selected} from ${tableSql(source.table)} as node where ${allOf(conditions)} limit 1`
  return { alias: SOURCE, from: `cross join lateral (${lookup}) as ${SOURCE}` }
}
