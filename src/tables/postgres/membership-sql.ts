import { toParameter } from '../rows/key-texts.ts'
import type { FieldTest } from '../rows/resolved-conditions.ts'
import { columnSql, oneOfSql } from '../sql/sql-text.ts'
import { parameterType } from './column-sql.ts'
import { isLoose } from './loose-columns.ts'
import type { PartValues } from './part-values.ts'

/** Rounds a number of constants up, so that few numbers occur in statements. */
const roundUp = (count: number): number => 2 ** Math.ceil(Math.log2(count))

/** The condition that a field is one of a number of constants. */
export type Membership = { readonly sql: (alias: string) => string; readonly size: number }

/** Adds the constants of a test to the values of a part, and returns its condition. */
export const addFieldTest = (values: PartValues, { field: { column }, texts }: FieldTest): Membership => {
  const size = roundUp(texts.length)
  const add = (type: string): readonly string[] =>
    Array.from({ length: size }, (_, index) =>
      // The first constant fills the rest.
      values.add(toParameter(column, texts[index] ?? texts[0] ?? ''), type),
    )
  const equals = add(parameterType(column))
  // Floats are equal if their numbers are. Other loose values must also have the same text.
  const exact = isLoose(column) && column.kind !== 'float' ? add('text') : undefined
  return {
    sql: alias => {
      const reference = columnSql(alias, column)
      const isEqual = oneOfSql(reference, equals)
      return exact === undefined
        ? isEqual
        : `(${isEqual} and ${oneOfSql(`${reference}::text collate "C"`, exact)})`
    },
    size,
  }
}
