const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const isOpenBracket = (code: number): boolean => code === OPEN_BRACE || code === OPEN_BRACKET
const isCloseBracket = (code: number): boolean => code === CLOSE_BRACE || code === CLOSE_BRACKET

/**
 * Returns the index of the quote that closes the string with the opening quote at `start`, or the end of the
 * text.
 */
const findClosingQuote = (text: string, start: number): number => {
  // Most strings have no escapes, and a search for one character is many times faster than the loop.
  const quote = text.indexOf('"', start + 1)
  if (quote < 0) return text.length
  if (text.charCodeAt(quote - 1) !== BACKSLASH) return quote
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}

/**
 * Counts the values of a JSON text at any depth, as an upper bound: each one but the first follows a comma or
 * an opening bracket. Stops counting above `max`.
 */
export const countValues = (text: string, max: number): number => {
  let count = 1
  for (let at = 0; at < text.length && count <= max; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = findClosingQuote(text, at)
    else if (code === COMMA || isOpenBracket(code)) count++
  }
  return count
}

/** Returns the index of the first character from `start` on that is not white space. */
const skipSpace = (text: string, start: number): number => {
  let at = start
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

const isBlank = (text: string, start: number): boolean => skipSpace(text, start) === text.length

/** Returns the index of the comma or bracket that ends the value at `start`. */
const findValueEnd = (text: string, start: number): number => {
  let depth = 0
  let at = start
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = findClosingQuote(text, at)
    else if (isOpenBracket(code)) depth++
    else if (depth === 0 && (code === COMMA || isCloseBracket(code))) break
    else if (isCloseBracket(code)) depth--
  }
  return at
}

/** A member of an object: the JSON text of its name, and that of its value. */
export type MemberText = readonly [name: string, value: string]

/**
 * Splits the JSON text of an object into its first `max` members without parsing them: each may still be
 * invalid. Returns `undefined` for text that is not an object.
 */
export const splitMembers = (text: string, max: number): readonly MemberText[] | undefined => {
  const start = skipSpace(text, 0)
  if (text.charCodeAt(start) !== OPEN_BRACE) return undefined
  const members: MemberText[] = []
  let at = skipSpace(text, start + 1)
  if (text.charCodeAt(at) === CLOSE_BRACE) return isBlank(text, at + 1) ? members : undefined
  while (members.length < max) {
    const colon = skipSpace(text, findClosingQuote(text, at) + 1)
    if (text.charCodeAt(at) !== QUOTE || text.charCodeAt(colon) !== COLON) return undefined
    const end = findValueEnd(text, colon + 1)
    members.push([text.slice(at, colon), text.slice(colon + 1, end)])
    const code = text.charCodeAt(end)
    if (code === CLOSE_BRACE) return isBlank(text, end + 1) ? members : undefined
    if (code !== COMMA) return undefined
    at = skipSpace(text, end + 1)
  }
  return members
}
