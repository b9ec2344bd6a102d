/** Whether two lists of different columns have the same columns, in any order. */
export const isSameSet = (names: readonly string[], others: readonly string[]): boolean =>
  names.length === others.length && names.every(name => others.includes(name))
