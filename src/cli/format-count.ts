/** Formats a number with its unit, in the singular or the plural. */
export const formatCount = (count: number, [one, many]: readonly [one: string, many: string]): string =>
  `${count} ${count === 1 ? one : many}`
