import { isNonArrayObject } from '../../base/json.ts'
import { formatChoices } from '../../base/usage-error.ts'
import { getOwn } from '../../schema/node.ts'
import type { ColumnForm, JsonType } from '../declare/fields.ts'
import type { ColumnDescription, Dialect } from '../description/database-description.ts'
import type { ColumnKind, ValueForm } from '../model/table-model.ts'

/** How the values of a column are stored, and the form that they have in a record. */
export type ColumnType = { readonly kind: ColumnKind; readonly form: ValueForm }

type ColumnTypes = { readonly [type: string]: readonly [kind: ColumnKind, form: ValueForm] }

const POSTGRES_TYPES: ColumnTypes = {
  bool: ['bool', 'bool'],
  int2: ['int2', 'int'],
  int4: ['int4', 'int'],
  int8: ['int8', 'numericString'],
  float4: ['float', 'float'],
  float8: ['float', 'float'],
  numeric: ['numeric', 'numericString'],
  text: ['text', 'string'],
  varchar: ['text', 'string'],
  char: ['char', 'string'],
  bpchar: ['char', 'string'],
  citext: ['citext', 'string'],
  enum: ['enum', 'string'],
  uuid: ['uuid', 'string'],
  date: ['date', 'date'],
  timestamptz: ['timestamptz', 'datetime'],
  timestamp: ['timestamp', 'datetime'],
  json: ['json', 'json'],
  jsonb: ['json', 'json'],
}

const SQLITE_TYPES: ColumnTypes = {
  boolean: ['bool', 'bool'],
  integer: ['int8', 'int'],
  real: ['float', 'float'],
  numeric: ['numeric', 'numericString'],
  text: ['text', 'string'],
  json: ['json', 'json'],
}

const TYPES: { readonly [D in Dialect]: ColumnTypes } = { postgres: POSTGRES_TYPES, sqlite: SQLITE_TYPES }

/** Returns the types of a database whose values have one of some kinds. */
export const typesOfKinds = (dialect: Dialect, kinds: readonly ColumnKind[]): readonly string[] =>
  Object.entries(TYPES[dialect]).flatMap(([type, [kind]]) => (kinds.includes(kind) ? [type] : []))

/** The kinds whose values are texts anyway. */
const TEXT_KINDS: readonly ColumnKind[] = ['text', 'char', 'citext', 'enum', 'uuid']

const TIME_FORMS = ['unixMs', 'unixSeconds', 'iso'] as const
type TimeForm = (typeof TIME_FORMS)[number]

/** The types of SQLite whose values can be times, in which forms. Texts of digits would be sorted as texts. */
const TIME_TYPES: { readonly [type: string]: readonly TimeForm[] } = {
  integer: TIME_FORMS,
  real: TIME_FORMS,
  numeric: TIME_FORMS,
  date: TIME_FORMS,
  datetime: TIME_FORMS,
  text: ['iso'],
}

const timeFormsOf = (dialect: Dialect, { type }: ColumnDescription): readonly TimeForm[] =>
  (dialect === 'sqlite' && getOwn(TIME_TYPES, type)) || []

/** The error of the option `as` of a column. */
export type FormIssue = { readonly expected: string }

const describeForms = (
  kind: ColumnKind | undefined,
  timeForms: readonly TimeForm[],
  { type }: ColumnDescription,
): FormIssue => {
  const words = timeForms.length === 0 ? '"text"' : formatChoices([...timeForms, 'text'])
  const otherForms = kind === undefined ? '' : `left out, ${kind === 'json' ? 'json() ' : ''}or `
  return { expected: `${otherForms}${words} for a column of the type ${type}` }
}

/**
 * Returns how the values of a column are stored and read, or what its option `as` must be. Every column can be read
 * as text.
 */
export const findColumnType = (
  dialect: Dialect,
  column: ColumnDescription,
  as: ColumnForm | JsonType | undefined,
): ColumnType | FormIssue => {
  const [kind, form] = getOwn(TYPES[dialect], column.type) ?? []
  if (as === 'text')
    return { kind: kind !== undefined && TEXT_KINDS.includes(kind) ? kind : 'other', form: 'string' }
  const timeForms = timeFormsOf(dialect, column)
  const timeForm = timeForms.find(known => known === as)
  if (timeForm !== undefined)
    return column.type === 'date' && timeForm === 'iso'
      ? { kind: 'date', form: 'date' }
      : { kind: timeForm, form: 'datetime' }
  const isJson = kind === 'json' && isNonArrayObject(as) && as.kind === 'json'
  if (kind === undefined || form === undefined || (as !== undefined && !isJson))
    return describeForms(kind, timeForms, column)
  return { kind, form }
}

/**
 * Describes what the option `as` of a column must be in an order; undefined if its values have no order in any form.
 */
export const describeSortForms = (dialect: Dialect, column: ColumnDescription): string | undefined => {
  const [kind] = getOwn(TYPES[dialect], column.type) ?? []
  const timeForms = timeFormsOf(dialect, column)
  const choices = [
    ...(kind !== undefined && isComparableKind(kind) ? ['left out'] : []),
    ...(timeForms.length === 0 ? [] : [formatChoices(timeForms)]),
  ]
  if (column.array || choices.length === 0) return undefined
  return `${choices.join(', or ')} for a column of the type ${column.type}`
}

/** Whether {@link findColumnType} returned a type. */
export const isColumnType = (type: ColumnType | FormIssue): type is ColumnType => 'kind' in type

/** The kinds of columns whose values are times. */
const TIME_KINDS: readonly ColumnKind[] = ['timestamptz', 'timestamp', 'unixMs', 'unixSeconds', 'iso']

/** Whether the values of a kind of columns are times. */
export const isTimeKind = (kind: ColumnKind): boolean => TIME_KINDS.includes(kind)

/** The kinds of columns whose values have neither an order nor equality. */
const OPAQUE_KINDS: readonly ColumnKind[] = ['json', 'other']

/** Whether the values of a kind of columns can be compared with each other. */
export const isComparableKind = (kind: ColumnKind): boolean => !OPAQUE_KINDS.includes(kind)
