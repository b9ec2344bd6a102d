const MAX_DESCRIPTION_LENGTH = 60
/** The number of characters of a text that are searched for secrets. */
const MAX_EXAMINED_CHARACTERS = 1000

/** Text that may be a secret: a token of a graph, a JWT, or the secret after the name of an app. */
const SECRET_PATTERN = /[\w-]{43}\.[\w-]{22}|eyJ[\w.-]{20,}|(?<=\w(?:\||%7C))\S.*/gis

/**
 * Replaces text that may be a secret, because messages are logged, and a caller may pass a token as the wrong
 * argument.
 */
export const maskPossibleSecrets = (text: string): string => text.replace(SECRET_PATTERN, '…')

/**
 * Returns the beginning of a text for a message, without possible secrets. Lone surrogates, which the cut may
 * create, are replaced, because messages are sent as JSON.
 */
export const shortenText = (text: string): string => {
  const masked = maskPossibleSecrets(text.slice(0, MAX_EXAMINED_CHARACTERS))
  return masked.length > MAX_DESCRIPTION_LENGTH
    ? `${masked.slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed()}…`
    : masked.toWellFormed()
}

/**
 * Describes a value in a few words for the `received` part of an error. The length of the description is
 * bounded, and the function never throws.
 *
 * Text is quoted, so that empty and blank text is visible.
 */
export const describeValue = (value: unknown): string => {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(shortenText(value))
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'symbol') return 'a symbol'
  if (typeof value !== 'object')
    return shortenText(`${typeof value === 'bigint' ? 'the bigint ' : ''}${value}`)
  if (Array.isArray(value)) return `an array of length ${value.length}`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date'
  const names = Object.keys(value)
  return names.length === 0 ? 'an empty object' : `an object with ${shortenText(names.join(', '))}`
}

/** Describes a URL. A URL with an "@" is not shown, because it may contain a password. */
export const describeUrl = (url: unknown): string =>
  typeof url === 'string' && url.includes('@') ? 'a URL that may contain a password' : describeValue(url)
