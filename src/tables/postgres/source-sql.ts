import { ROOT_ID } from '../../store/derived-entries.ts'
import type { ListMapping, TableModel } from '../model/table-model.ts'
import type { KeyText } from '../rows/key-texts.ts'
import { parseRowId } from '../rows/row-ids.ts'
import { allOf, tableSql } from '../sql/sql-text.ts'
import { exactKeySql, requestedKeySql } from './requested-rows.ts'
import { columnsEqualSql, type FilterContext, nodeSql } from './row-sql.ts'
import { columnsOfSource, selectedColumnsSql } from './selected-columns.ts'

/** A list of a node or of the root, and the key of the node. */
export type FoundList = { readonly list: ListMapping; readonly sourceKey: readonly KeyText[] }

/** Finds the list that a range or a check names. Returns undefined for an unknown one. */
export const findList = (
  model: TableModel,
  { source, name }: { readonly source: string; readonly name: string },
): FoundList | undefined => {
  if (source === ROOT_ID) {
    const collection = model.collections.get(name)
    return collection && { list: collection, sourceKey: [] }
  }
  const row = parseRowId(model, source)
  const list = row?.type.lists.get(name)
  return row && list && { list, sourceKey: row.key }
}

/** The alias of the row of the source. */
const SOURCE = 'source'

/**
 * Returns the row of the source of a list, which must be a node. A collection has none.
 *
 * @param isCounted Whether the row must have the column that counts the list.
 */
export const sourceSql = (
  list: ListMapping,
  filters: FilterContext,
  isCounted = false,
): { readonly alias: string | undefined; readonly from: string } => {
  const { source } = list
  if (source === undefined) return { alias: undefined, from: '' }
  const conditions = [
    ...columnsEqualSql('node', source.keys, requestedKeySql('s', source.keys)),
    ...exactKeySql('node', 's', source.keys),
    ...nodeSql(source, 'node', filters),
  ]
  const selected = selectedColumnsSql('node', columnsOfSource(list, isCounted))
  const lookup = `select ${selected} from ${tableSql(source.table)} as node where ${allOf(conditions)} limit 1`
  return { alias: SOURCE, from: `cross join lateral (${lookup}) as ${SOURCE}` }
}
