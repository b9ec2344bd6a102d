import type { SessionFilters } from '../rows/session-texts.ts'

/** A value of a part that is the same for all its rows. */
export type PartValue = string | number | null

/** Marks the number of the parameter in the SQL of a part, because it depends on the place of the part. */
const VALUES_MARK = '$values'

/** Whether the SQL of a part uses its values. Postgres rejects a parameter that no statement uses. */
export const usesValues = (sql: string): boolean => sql.includes(VALUES_MARK)

/** Sets the number of the parameter that contains the values of a part. */
export const bindValues = (sql: string, parameter: number): string =>
  sql.replaceAll(VALUES_MARK, `$${parameter}`)

/**
 * Returns the value with an index as an expression. The values of the session are the first ones of each part. The
 * planner evaluates the subquery once for a statement, and the values are a JSON array of texts.
 */
export const valueAt = (index: number, type: string): string =>
  `(select (${VALUES_MARK}::json ->> ${index})::${type})`

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
