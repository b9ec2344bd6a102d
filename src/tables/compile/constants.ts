import { formatChoices } from '../../base/usage-error.ts'
import type { ColumnKind, TableColumn } from '../model/table-model.ts'
import { isKeyText } from '../rows/key-texts.ts'
import { isoToMicros } from '../rows/times.ts'

type Constant = string | number | boolean

/** The constants of a kind of columns, and their description. */
type ConstantRule = {
  readonly expected: string
  readonly isValid: (value: unknown, column: TableColumn) => boolean
}

const textRule = (expected: string): ConstantRule => ({
  expected,
  isValid: (value, column) => typeof value === 'string' && isKeyText(column, value),
})

const integerRule = (bits: bigint): ConstantRule => {
  const max = 2n ** (bits - 1n) - 1n
  return {
    expected: `an integer from ${-max - 1n} to ${max}`,
    isValid: (value, column) =>
      (typeof value === 'string' || Number.isSafeInteger(value)) && isKeyText(column, `${value}`),
  }
}

const storableText = textRule('a well-formed string')
const time: ConstantRule = {
  expected: 'a time in ISO 8601',
  isValid: (value, column) => typeof value === 'string' && isKeyText(column, isoToMicros(value) ?? ''),
}

/** JSON, and values that are read as text, are not compared. Times of SQLite are only compared in orders. */
const RULES: { readonly [K in ColumnKind]?: ConstantRule } = {
  bool: { expected: 'true or false', isValid: value => typeof value === 'boolean' },
  int2: integerRule(16n),
  int4: integerRule(32n),
  int8: integerRule(64n),
  float: { expected: 'a finite number', isValid: value => Number.isFinite(value) },
  numeric: {
    expected: 'a number, or a string of digits',
    isValid: value =>
      Number.isFinite(value) || (typeof value === 'string' && /^-?\d{1,64}(?:\.\d{1,64})?$/.test(value)),
  },
  text: storableText,
  char: storableText,
  citext: storableText,
  uuid: textRule('a uuid in small letters'),
  date: textRule('a date as YYYY-MM-DD'),
  timestamptz: time,
  timestamp: time,
}

const ruleOf = ({ kind, labels = [] }: TableColumn): ConstantRule | undefined =>
  kind === 'enum' ? textRule(formatChoices(labels)) : RULES[kind]

/** Whether a value of a declaration is one that a column can have. */
export const isConstantOf = (column: TableColumn, value: unknown): value is Constant =>
  ruleOf(column)?.isValid(value, column) ?? false

/** Describes the values that a column can have. */
export const describeConstants = (column: TableColumn): string =>
  ruleOf(column)?.expected ?? `left out, since the type ${column.sqlType} is not compared`
