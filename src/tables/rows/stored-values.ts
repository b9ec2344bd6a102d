import { parseIsoDate } from '../../base/dates.ts'
import type { JsonValue } from '../../base/json.ts'
import type { TableColumn, ValueForm } from '../model/table-model.ts'
import { hasZone } from './positions.ts'
import { isSqliteTimeKind } from './sqlite-times.ts'
import { toStoredTime } from './times.ts'

/**
 * Converts a selected value to the form in which a record stores it. A value that has no such form becomes one that
 * the field's type rejects.
 */
export type ValueReader = (value: JsonValue) => JsonValue

const keepValue: ValueReader = value => value
const toText: ValueReader = value => (typeof value === 'number' ? `${value}` : value)

/** Infinity and NaN are selected as text, and stay text. */
const toNumber: ValueReader = value => {
  if (typeof value !== 'string') return value
  const number = Number(value)
  return Number.isFinite(number) ? number : value
}

/** An integer that a number cannot hold stays text. */
const toInteger: ValueReader = value => {
  const number = toNumber(value)
  return Number.isSafeInteger(number) ? number : value
}

const toDatetime: ValueReader = value => toStoredTime(`${value}`)
/** The times of an array without a zone of its own are selected in ISO 8601. */
const toDatetimeItem: ValueReader = value =>
  typeof value === 'string' ? (parseIsoDate(value) ?? value) : value

const READERS: Readonly<Record<ValueForm, ValueReader>> = {
  string: toText,
  numericString: toText,
  int: toInteger,
  float: toNumber,
  bool: keepValue,
  datetime: toDatetime,
  date: keepValue,
  json: keepValue,
}

const createListReader = (readItem: ValueReader): ValueReader => {
  const readItems: ValueReader = value =>
    Array.isArray(value) ? value.map(item => (item === null ? null : readItems(item))) : readItem(value)
  return readItems
}

/** Returns the function that reads the values of a column. It is never called for NULL. */
export const createValueReader = (column: TableColumn, form: ValueForm): ValueReader => {
  // Times of SQLite are selected as milliseconds.
  if (isSqliteTimeKind(column.kind)) return keepValue
  if (!column.isArray) return READERS[form]
  return createListReader(form === 'datetime' && !hasZone(column) ? toDatetimeItem : READERS[form])
}
