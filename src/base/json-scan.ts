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
 * Returns the index of the quote that closes the string whose opening quote is at `start`, or the length of
 * the text if the string is not closed.
 */
const findClosingQuote = (text: string, start: number): number => {
  // Most strings have no escapes, and a search for one character is many times faster than the loop.
  const quoteIndex = text.indexOf('"', start + 1)
  if (quoteIndex < 0) return text.length
  if (text.charCodeAt(quoteIndex - 1) !== BACKSLASH) return quoteIndex
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) return index
    if (code === BACKSLASH) index++
  }
  return text.length
}

/**
 * Returns an upper bound for the number of values in a JSON text, at any depth: each value except the first
 * follows a comma or an opening bracket. Stops counting above `max`.
 */
export const countValues = (text: string, max: number): number => {
  let count = 1
  for (let index = 0; index < text.length && count <= max; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) index = findClosingQuote(text, index)
    else if (code === COMMA || isOpenBracket(code)) count++
  }
  return count
}

/** Returns the index of the first character from `start` on that is not white space. */
const skipSpace = (text: string, start: number): number => {
  let index = start
  while (isSpace(text.charCodeAt(index))) index++
  return index
}

const isBlank = (text: string, start: number): boolean => skipSpace(text, start) === text.length

/** Returns the index of the comma or bracket that ends the value at `start`. */
const findValueEnd = (text: string, start: number): number => {
  let depth = 0
  let index = start
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) index = findClosingQuote(text, index)
    else if (isOpenBracket(code)) depth++
    else if (depth === 0 && (code === COMMA || isCloseBracket(code))) break
    else if (isCloseBracket(code)) depth--
  }
  return index
}

/** A member of an object: the JSON texts of its name and its value. */
export type MemberText = readonly [name: string, value: string]

/**
 * Splits the JSON text of an object into its first `max` members without parsing them, so a member may still
 * be invalid JSON. Returns `undefined` for text that is not an object.
 */
export const splitMembers = (text: string, max: number): readonly MemberText[] | undefined => {
  const start = skipSpace(text, 0)
  if (text.charCodeAt(start) !== OPEN_BRACE) return undefined
  const members: MemberText[] = []
  let nameStart = skipSpace(text, start + 1)
  if (text.charCodeAt(nameStart) === CLOSE_BRACE) return isBlank(text, nameStart + 1) ? members : undefined
  while (members.length < max) {
    const colon = skipSpace(text, findClosingQuote(text, nameStart) + 1)
    if (text.charCodeAt(nameStart) !== QUOTE || text.charCodeAt(colon) !== COLON) return undefined
    const valueEnd = findValueEnd(text, colon + 1)
    members.push([text.slice(nameStart, colon), text.slice(colon + 1, valueEnd)])
    const code = text.charCodeAt(valueEnd)
    if (code === CLOSE_BRACE) return isBlank(text, valueEnd + 1) ? members : undefined
    if (code !== COMMA) return undefined
    nameStart = skipSpace(text, valueEnd + 1)
  }
  return members
}
