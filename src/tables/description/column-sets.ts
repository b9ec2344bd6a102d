/** Whether two lists of different columns have the same columns, in any order. */
export const isSameSet = (names: readonly string[], others: readonly string[]): boolean =>
  names.length === others.length && names.every(name => others.includes(name))

/** Whether some columns contain one of some unique keys, so that rows with equal values in the columns are one row. */
export const containKey = (names: readonly string[], keys: readonly (readonly string[])[]): boolean =>
  keys.some(key => key.length > 0 && key.every(name => names.includes(name)))
