import { isTime, parseIsoDate } from '../../base/dates.ts'
import { isText } from '../../base/json.ts'
import { formatChoices } from '../../base/usage-error.ts'
import type { ColumnKind, TableColumn } from '../model/table-model.ts'
import { UUID_PATTERN } from '../rows/key-texts.ts'

type Constant = string | number | boolean

/** The constants of a kind of columns, and their description. */
type ConstantRule = {
  readonly expected: string
  readonly isValid: (value: unknown, column: TableColumn) => value is Constant
}

const rule = (expected: string, isValid: (value: unknown, column: TableColumn) => boolean): ConstantRule => ({
  expected,
  isValid: (value, column): value is Constant => isValid(value, column),
})

/** Postgres cannot store U+0000 in texts. */
const isStorableText = (value: unknown): value is string => isText(value) && !value.includes('\0')

const integerRule = (bits: bigint): ConstantRule => {
  const max = 2n ** (bits - 1n) - 1n
  return rule(`an integer from ${-max - 1n} to ${max}`, value => {
    if (typeof value === 'string' && !/^-?(?:0|[1-9]\d{0,18})$/.test(value)) return false
    if (typeof value === 'number' ? !Number.isSafeInteger(value) : typeof value !== 'string') return false
    const integer = BigInt(value as string | number)
    return integer >= -max - 1n && integer <= max
  })
}

const textRule = rule('a well-formed string', isStorableText)
const timeRule = rule('a time in ISO 8601', value => typeof value === 'string' && isTime(parseIsoDate(value)))

const RULES: { readonly [K in Exclude<ColumnKind, 'json' | 'other' | 'enum'>]: ConstantRule } = {
  bool: rule('true or false', value => typeof value === 'boolean'),
  int2: integerRule(16n),
  int4: integerRule(32n),
  int8: integerRule(64n),
  float: rule('a finite number', value => typeof value === 'number' && Number.isFinite(value)),
  numeric: rule(
    'a number, or a string of digits',
    value =>
      Number.isFinite(value) || (typeof value === 'string' && /^-?\d{1,64}(?:\.\d{1,64})?$/.test(value)),
  ),
  text: textRule,
  char: textRule,
  citext: textRule,
  uuid: rule('a uuid in small letters', value => typeof value === 'string' && UUID_PATTERN.test(value)),
  date: rule(
    'a date as YYYY-MM-DD',
    value =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && parseIsoDate(value) !== undefined,
  ),
  timestamptz: timeRule,
  timestamp: timeRule,
  unixMs: timeRule,
  unixSeconds: timeRule,
  iso: timeRule,
}

const enumRule = (labels: readonly string[]): ConstantRule =>
  rule(formatChoices(labels), value => typeof value === 'string' && labels.includes(value))

const ruleOf = ({ kind, labels = [] }: TableColumn): ConstantRule | undefined => {
  if (kind === 'enum') return enumRule(labels)
  return kind === 'json' || kind === 'other' ? undefined : RULES[kind]
}

/** Whether a value of a declaration is one that a column can have. */
export const isConstantOf = (column: TableColumn, value: unknown): value is Constant =>
  ruleOf(column)?.isValid(value, column) ?? false

/** Describes the values that a column can have. */
export const describeConstants = (column: TableColumn): string =>
  ruleOf(column)?.expected ?? `left out, since the type ${column.sqlType} is not compared`
