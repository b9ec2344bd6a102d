import type { NodeId } from '../../base/ids.ts'
import type { JsonValue } from '../../base/json.ts'
import { MAX_KEY_LENGTH, namedId, parseNamedId } from '../../base/named-ids.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import type { Dialect } from '../description/database-description.ts'
import type { ListMapping, TableColumn, TableModel, TypeMapping } from '../model/table-model.ts'
import { INTEGER_PATTERN, isKeyText, type KeyText, keyReaderOf } from './key-texts.ts'

/** A row that a request names: its type, and the texts of its key. */
export type RowKey = { readonly type: TypeMapping; readonly key: readonly KeyText[] }

/**
 * Whether a column of a key can contain a text. A `numeric` of a key is an integer in SQLite, whose text has one form:
 * `7` and `007` would be the same parameter.
 */
const isTextOfKey = (dialect: Dialect, column: TableColumn, text: string): boolean =>
  isKeyText(column, text) && (dialect !== 'sqlite' || column.kind !== 'numeric' || INTEGER_PATTERN.test(text))

/**
 * Returns the row that an id names. Returns undefined for an id of no type, and for a key that its columns cannot
 * contain.
 */
export const parseRowId = ({ dialect, typesByPrefix }: TableModel, id: NodeId): RowKey | undefined => {
  const parsed = parseNamedId(id)
  if (parsed === undefined) return undefined
  const type = typesByPrefix.get(parsed.prefix)
  const { key } = parsed
  if (type === undefined || key.length !== type.keys.length) return undefined
  return type.keys.every((column, index) => isTextOfKey(dialect, column, key[index] ?? '\u0000'))
    ? { type, key }
    : undefined
}

/** Returns the key of a row of a known type. */
export const parseIdOf = (
  model: TableModel,
  type: TypeMapping,
  id: NodeId,
): readonly KeyText[] | undefined => {
  const row = parseRowId(model, id)
  return row?.type === type ? row.key : undefined
}

/** A list of a node or of the root, and the key of the node. */
export type FoundList = { readonly list: ListMapping; readonly sourceKey: readonly KeyText[] }

/** Returns the list that a range or a check names. Returns undefined for an unknown one. */
export const findList = (
  model: TableModel,
  { source, name }: { readonly source: NodeId; readonly name: string },
): FoundList | undefined => {
  if (source === ROOT_ID) {
    const collection = model.collections.get(name)
    return collection && { list: collection, sourceKey: [] }
  }
  const row = parseRowId(model, source)
  const list = row?.type.lists.get(name)
  return row && list && { list, sourceKey: row.key }
}

/** A short key that an id contains as it is. */
const PLAIN_KEY_PATTERN = new RegExp(`^[A-Za-z0-9_-]{1,${MAX_KEY_LENGTH}}$`)

/** Returns the id of a row, or undefined if it would be too long. */
const createId = (prefix: string, key: readonly string[]): NodeId | undefined => {
  try {
    return namedId(prefix, ...key)
  } catch {
    return undefined
  }
}

/** Reads the id of a row from the values of its key, which begin at an index. */
export type IdReader = (row: readonly JsonValue[], start: number) => NodeId | undefined

/** Returns the function that reads the ids of rows of a type. A row with a NULL in its key has none. */
export const createIdReader = ({ prefix, keys }: TypeMapping): IdReader => {
  const readers = keys.map(keyReaderOf)
  const [readOnly] = readers
  if (readOnly !== undefined && readers.length === 1)
    return (row, start) => {
      const value = row[start]
      if (value === null || value === undefined) return undefined
      const text = readOnly(value)
      return PLAIN_KEY_PATTERN.test(text) ? `${prefix}-${text}` : createId(prefix, [text])
    }
  return (row, start) => {
    const key: string[] = []
    for (const [index, read] of readers.entries()) {
      const value = row[start + index]
      if (value === null || value === undefined) return undefined
      key.push(read(value))
    }
    return createId(prefix, key)
  }
}
