import type { StatementParameter } from '../../stores/postgres/database.ts'
import type { SessionFilters } from '../rows/session-texts.ts'

/** A value of a part that is the same for all its rows. */
export type PartValue = string | number | null

/**
 * Marks the place of a value, with its index, because the number of its parameter depends on the place of the part. No
 * name in a database contains the character 0.
 */
const VALUE_MARK = /\0(\d+)\0/g
/** A part with more values has them in one parameter, because a statement has at most 65,535 parameters. */
const MAX_SEPARATE_VALUES = 32

/**
 * Returns the value with an index as an expression. The values of the session are the first ones of each part. The
 * planner evaluates the subquery once for a statement, and does not know the value, so that one plan serves all.
 */
export const valueAt = (index: number, type: string): string => `(select (\0${index}\0)::${type})`

/** The SQL of a part whose values have parameters, and how the values become these parameters. */
export type BoundSql = {
  readonly sql: string
  /** The number of the first parameter after those of the part. */
  readonly nextParameter: number
  toParameters(values: readonly PartValue[]): readonly StatementParameter[]
}

/** Returns a value as a parameter of a statement. */
export const toStatementParameter = (value: PartValue): StatementParameter =>
  value === null ? null : `${value}`

/** Without this error, a missing limit would be NULL, which is no limit. */
const requireValue = (values: readonly PartValue[], index: number): PartValue => {
  const value = values[index]
  if (value === undefined) throw new Error(`A part uses value ${index}, but has only ${values.length} values`)
  return value
}

/** Sets the numbers of the parameters of the values that a part uses. Postgres rejects parameters that it does not use. */
export const bindValues = (sql: string, parameter: number): BoundSql => {
  const indexes = [...new Set(Array.from(sql.matchAll(VALUE_MARK), ([, index]) => Number(index)))]
  const isSeparate = indexes.length <= MAX_SEPARATE_VALUES
  const placeOf = (index: string): number => indexes.indexOf(Number(index))
  return {
    sql: sql.replaceAll(VALUE_MARK, (_, index) =>
      isSeparate ? `$${parameter + placeOf(index)}` : `$${parameter}::json ->> ${placeOf(index)}`,
    ),
    nextParameter: parameter + (isSeparate ? indexes.length : 1),
    toParameters(values) {
      const used = indexes.map(index => requireValue(values, index))
      return isSeparate ? used.map(toStatementParameter) : [JSON.stringify(used)]
    },
  }
}

/** Collects the values of one part, after those of the session. */
export class PartValues {
  readonly values: PartValue[]
  readonly #start: number

  constructor(sessionFilters: SessionFilters, values: readonly PartValue[] = []) {
    this.#start = sessionFilters.size
    this.values = [...values]
  }

  /** Adds a value, and returns its expression. */
  add(value: PartValue, type: string): string {
    this.values.push(value)
    return valueAt(this.#start + this.values.length - 1, type)
  }
}
