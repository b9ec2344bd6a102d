/** The maximum number of rows that a statement counts, if its range has no limit. */
export const MAX_COUNTED = 1_000_000

/** The maximum number of rows for which a statement evaluates a condition, if its range has no limit. */
export const MAX_EXAMINED = 1_000_000
