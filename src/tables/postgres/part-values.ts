import type { SessionFilters } from '../rows/session-texts.ts'
import type { FilterContext, ValueReference } from './row-sql.ts'

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
 * Returns the value with an index. The planner evaluates the subquery once for a statement, and the values are a JSON
 * array of texts.
 */
const valueAt: ValueReference = (index, type) => `(select (${VALUES_MARK}::json ->> ${index})::${type})`

/** Creates the context of the filters of a model: the values of the session are the first values of each part. */
export const createFilterContext = (sessionFilters: SessionFilters): FilterContext => ({
  sessionFilters,
  valueAt,
})

/** Collects the values of one part, after those of the session. */
export class PartValues {
  readonly values: PartValue[]
  readonly #start: number

  constructor({ sessionFilters }: FilterContext, values: readonly PartValue[] = []) {
    this.#start = sessionFilters.size
    this.values = [...values]
  }

  /** Adds a value, and returns its expression. */
  add(value: PartValue, type: string): string {
    this.values.push(value)
    return valueAt(this.#start + this.values.length - 1, type)
  }
}
