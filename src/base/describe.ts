const LONGEST = 60

/**
 * The beginning of a text, for a message. Well-formed, since messages end in JSON: half of a surrogate pair, there
 * already or left by the cut, is replaced.
 */
export const shorten = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text.toWellFormed()

/**
 * Says in a few words what a value is, for the "came" part of an error: bounded in length, total on any input.
 *
 * Text is quoted, so that an empty or blank one can be seen.
 */
export const describe = (value: unknown): string => {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(shorten(value))
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'symbol') return 'a symbol'
  if (typeof value !== 'object') return shorten(String(value))
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date'
  const names = Object.keys(value)
  return names.length === 0 ? 'an empty object' : `an object with ${shorten(names.join(', '))}`
}
