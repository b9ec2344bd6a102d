const LONGEST = 60
/** No more is looked at, however long a text is. */
const SEEN = 1000

/** What reads like a secret: a token of a graph, a JWT, and what an app has behind its name. */
const SECRETS = /[\w-]{43}\.[\w-]{22}|eyJ[\w.-]{20,}|(?<=\w(?:\||%7C))\S.*/gis

/** A text without what reads like a secret: messages end in logs, and a token may come in the wrong place. */
export const withoutSecrets = (text: string): string => text.replace(SECRETS, '…')

/**
 * The beginning of a text, for a message. Well-formed, since messages end in JSON: half of a surrogate pair, there
 * already or left by the cut, is replaced. What reads like a secret is left out.
 */
export const shorten = (text: string): string => {
  const told = withoutSecrets(text.slice(0, SEEN))
  return told.length > LONGEST ? `${told.slice(0, LONGEST).toWellFormed()}…` : told.toWellFormed()
}

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
