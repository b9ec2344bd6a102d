import { formatChoices } from '../../base/usage-error.ts'
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

/** The kinds whose values are texts anyway. */
const TEXT_KINDS: readonly ColumnKind[] = ['text', 'char', 'citext', 'enum', 'uuid']

/** The types of SQLite whose values can be times. */
const TIME_TYPES: readonly string[] = ['integer', 'real', 'numeric', 'text', 'date', 'datetime']
const TIME_FORMS = ['unixMs', 'unixSeconds', 'iso'] as const
type TimeForm = (typeof TIME_FORMS)[number]

const isTimeForm = (form: unknown): form is TimeForm => TIME_FORMS.some(timeForm => timeForm === form)

/** What is wrong with the option `as` of a column. */
export type FormIssue = { readonly expected: string }

const findTimeType = (
  dialect: Dialect,
  { type }: ColumnDescription,
  form: TimeForm,
): ColumnType | FormIssue => {
  if (dialect !== 'sqlite' || !TIME_TYPES.includes(type))
    return { expected: `left out, or "text", for a column of the type ${type}` }
  return type === 'date' && form === 'iso' ? { kind: 'date', form: 'date' } : { kind: form, form: 'datetime' }
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
  const [kind, form] = (Object.hasOwn(TYPES[dialect], column.type) && TYPES[dialect][column.type]) || []
  if (as === 'text')
    return { kind: kind !== undefined && TEXT_KINDS.includes(kind) ? kind : 'other', form: 'string' }
  if (isTimeForm(as)) return findTimeType(dialect, column, as)
  if (kind === undefined || form === undefined) {
    const isTime = dialect === 'sqlite' && TIME_TYPES.includes(column.type)
    return {
      expected: `${formatChoices(isTime ? [...TIME_FORMS, 'text'] : ['text'])} for a column of the type ${column.type}`,
    }
  }
  if (as !== undefined && kind !== 'json')
    return { expected: `left out, or "text", for a column of the type ${column.type}` }
  return { kind, form }
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
