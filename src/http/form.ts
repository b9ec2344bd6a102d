import type { RawParameter } from './parameters.ts'
import type { ValueBudget } from './value-budget.ts'

const AMPERSAND = 0x26
const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20

const encoder = new TextEncoder()
/** Keeps a byte order mark in the text, as other form parsers do. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Returns the value of a hexadecimal digit, or NaN for any other byte. */
const parseHexDigit = (byte: number | undefined): number => {
  if (byte === undefined) return Number.NaN
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}

/**
 * Decodes a name or a value: `+` becomes a space, `%` followed by two hexadecimal digits becomes a byte, and
 * any other `%` stays unchanged.
 */
const decodeFormText = (text: string): string => {
  if (!text.includes('%') && !text.includes('+')) return text.toWellFormed()
  const bytes = encoder.encode(text)
  let decodedLength = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    const decodedByte =
      byte === PERCENT ? parseHexDigit(bytes[index + 1]) * 16 + parseHexDigit(bytes[index + 2]) : Number.NaN
    if (decodedByte >= 0) index += 2
    // Decodes in place, because the decoded text is never longer.
    bytes[decodedLength++] = decodedByte >= 0 ? decodedByte : byte === PLUS ? SPACE : byte
  }
  return decoder.decode(bytes.subarray(0, decodedLength))
}

const parsePair = (pair: string): RawParameter => {
  const equals = pair.indexOf('=')
  return equals < 0
    ? [decodeFormText(pair), '']
    : [decodeFormText(pair.slice(0, equals)), decodeFormText(pair.slice(equals + 1))]
}

/**
 * Parses a form like `URLSearchParams`, but faster: for 1 MiB of `+` or of `a=&`, it takes a few milliseconds
 * instead of 100 ms or more.
 *
 * @throws GraphError `request_too_large` if the form has more fields than a request may have parameters.
 */
export const parseForm = (form: string, valueBudget: ValueBudget): readonly RawParameter[] => {
  const parameters: RawParameter[] = []
  for (let start = 0; start < form.length; ) {
    if (form.charCodeAt(start) === AMPERSAND) {
      start++
      continue
    }
    const nextAmpersand = form.indexOf('&', start)
    const end = nextAmpersand < 0 ? form.length : nextAmpersand
    valueBudget.takeParameter(parameters.length)
    parameters.push(parsePair(form.slice(start, end)))
    start = end
  }
  return parameters
}

/** The length in characters up to which `URLSearchParams` is fast for any text. */
const MAX_SHORT_QUERY_LENGTH = 500

/**
 * Parses the parameters of a query.
 *
 * @throws GraphError `request_too_large` if the query has too many parameters.
 */
export const parseQuery = (query: string, valueBudget: ValueBudget): URLSearchParams =>
  new URLSearchParams(
    query.length <= MAX_SHORT_QUERY_LENGTH
      ? query
      : parseForm(query, valueBudget).map(([name, text]): [string, string] => [name, text]),
  )
