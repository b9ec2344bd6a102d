import type { JsonValue } from '../../base/json.ts'
import { type ComparableField, toComparableTexts } from '../rows/comparable-texts.ts'
import { toParameter } from '../rows/key-texts.ts'
import { columnSql } from '../sql/sql-text.ts'
import { parameterType } from './column-sql.ts'
import { isLoose } from './loose-columns.ts'
import type { PartValues } from './part-values.ts'

/** A constant of a condition that can be equal to a stored value. */
type Scalar = string | number | boolean

const isScalar = (value: JsonValue): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Returns the scalars that a member of the data may be equal to. No data is equal to an object or an array. */
export const scalarsOf = (expected: JsonValue): readonly Scalar[] =>
  (Array.isArray(expected) ? expected : [expected]).filter(isScalar)

/** Rounds a number of constants up, so that few numbers occur in statements. */
const roundUp = (count: number): number => 2 ** Math.ceil(Math.log2(count))

/** The condition that a field is one of a number of constants. */
export type Membership = { readonly sql: (alias: string) => string; readonly size: number }

/** Returns the condition that an expression is one of some values. Postgres would plan one value in a list as a query. */
const inSql = (expression: string, values: readonly string[]): string =>
  values.length === 1 ? `${expression} = ${values.join()}` : `${expression} in (${values.join(', ')})`

/** Returns the condition that a field is one of some constants, or undefined if none of them is possible. */
export const fieldIn = (
  values: PartValues,
  field: ComparableField,
  constants: readonly Scalar[],
): Membership | undefined => {
  const { column } = field
  const texts = toComparableTexts(field, constants)
  const [first] = texts
  if (first === undefined) return undefined
  const size = roundUp(texts.length)
  const add = (type: string): readonly string[] =>
    Array.from({ length: size }, (_, index) => values.add(toParameter(column, texts[index] ?? first), type))
  const equals = add(parameterType(column))
  // Floats are equal if their numbers are. Other loose values must also have the same text.
  const exact = isLoose(column) && column.kind !== 'float' ? add('text') : undefined
  return {
    sql: alias => {
      const reference = columnSql(alias, column)
      const isEqual = inSql(reference, equals)
      return exact === undefined
        ? isEqual
        : `(${isEqual} and ${inSql(`${reference}::text collate "C"`, exact)})`
    },
    size,
  }
}
