import type { FieldMapping, TableColumn, ValueForm } from '../model/table-model.ts'
import { isKeyText, type KeyText } from './key-texts.ts'

type Comparable = string | number | boolean

/** The form of the values that JavaScript compares with the constants of a condition. */
const FORM_TYPES: Readonly<Record<ValueForm, 'string' | 'number' | 'boolean' | undefined>> = {
  string: 'string',
  numericString: 'string',
  int: 'number',
  float: 'number',
  bool: 'boolean',
  date: 'string',
  // A stored time has fewer digits than its column, and JSON is not comparable.
  datetime: undefined,
  json: undefined,
}

/** A field whose stored values can be compared in SQL. */
export type ComparableField = Extract<FieldMapping, { kind: 'value' }>

/** Returns a field whose stored values can be compared in SQL, or undefined for any other field. */
export const toComparableField = (field: FieldMapping | undefined): ComparableField | undefined => {
  if (field === undefined || field.kind === 'ref') return undefined
  const { form, column } = field
  if (FORM_TYPES[form] === undefined || column.isArray || column.kind === 'other') return undefined
  // A number has fewer digits than a numeric, so numbers may be equal whose numerics are not.
  return form === 'float' && column.kind === 'numeric' ? undefined : field
}

/**
 * Returns the constants that stored values of a field may be equal to, as texts of its column. Other constants are
 * equal to no stored value.
 */
export const toComparableTexts = (
  { column, form }: ComparableField,
  constants: readonly Comparable[],
): readonly KeyText[] =>
  constants
    .filter(constant => typeof constant === FORM_TYPES[form])
    .map(constant => `${constant}`)
    .filter(text => isKeyText(column, text))

const EXACT_KINDS: ReadonlySet<string> = new Set(['bool', 'int2', 'int4', 'int8', 'uuid', 'enum'])

/**
 * Whether a column's values are equal in SQL exactly if their stored values are equal (`===`) in JavaScript. Only
 * such columns may decide what is counted, because counts are not evaluated again.
 */
export const isExact = ({ kind, isInexact, isArray }: TableColumn): boolean =>
  !isArray && !isInexact && (EXACT_KINDS.has(kind) || kind === 'text')
