import type { NodeId } from '../../base/ids.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import type { ListMapping, TableModel, TypeMapping } from '../model/table-model.ts'
import type { KeyText } from '../rows/key-texts.ts'
import { parseRowId, type RowKey } from '../rows/row-ids.ts'

const INTEGER_PATTERN = /^(?:0|-?[1-9]\d{0,18})$/

/**
 * Returns the row that an id names. A `numeric` of a key is an integer in SQLite, whose text has one form: `7` and
 * `007` would be the same parameter.
 */
export const findRow = (model: TableModel, id: NodeId): RowKey | undefined => {
  const row = parseRowId(model, id)
  const isValid = row?.type.keys.every(
    ({ kind }, index) => kind !== 'numeric' || INTEGER_PATTERN.test(row.key[index] ?? ''),
  )
  return isValid ? row : undefined
}

/** Returns the key of a row of a known type. */
export const findKey = (model: TableModel, type: TypeMapping, id: NodeId): readonly KeyText[] | undefined => {
  const row = findRow(model, id)
  return row?.type === type ? row.key : undefined
}

/** A list of a node or of the root, and the key of the node. */
export type RequestedList = { readonly list: ListMapping; readonly sourceKey: readonly KeyText[] }

/** Returns the list that a range or a check names; undefined for an unknown one. */
export const findRequestedList = (
  model: TableModel,
  { source, name }: { readonly source: NodeId; readonly name: string },
): RequestedList | undefined => {
  if (source === ROOT_ID) {
    const collection = model.collections.get(name)
    return collection && { list: collection, sourceKey: [] }
  }
  const row = findRow(model, source)
  const list = row?.type.lists.get(name)
  return row && list && { list, sourceKey: row.key }
}
