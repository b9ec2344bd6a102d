import { describeValue } from '../../base/describe.ts'
import { isNonArrayObject } from '../../base/json.ts'
import { invalidBatchError, invalidBatchItemError } from './invalid-batch.ts'

/** The headers of an item, by lower-case name. */
export type ItemHeaders = { readonly [name: string]: string }

/**
 * The maximum total length of the headers of an item, in characters. Servers limit the headers of a request
 * in the same way.
 */
const MAX_HEADERS_LENGTH = 16_384

const NAME_PATTERN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a header cannot have
const FORBIDDEN_CHARACTERS = /[\u0000\u000a\u000d]/

type Header = readonly [name: string, value: string]

const parseHeader = (name: unknown, value: unknown): Header | undefined =>
  typeof name === 'string' &&
  typeof value === 'string' &&
  NAME_PATTERN.test(name.trim()) &&
  !FORBIDDEN_CHARACTERS.test(value)
    ? [name.trim().toLowerCase(), value.trim()]
    : undefined

const parseHeaderLine = (text: string): Header | undefined => {
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : parseHeader(text.slice(0, colon), text.slice(colon + 1))
}

const parseHeaders = (headers: unknown): readonly (Header | undefined)[] => {
  if (headers === undefined || headers === null) return []
  if (typeof headers === 'string') return [parseHeaderLine(headers)]
  if (isNonArrayObject(headers))
    return Object.entries(headers).map(([name, value]) => parseHeader(name, value))
  if (!Array.isArray(headers)) return [undefined]
  return headers.map((header: unknown) => {
    if (typeof header === 'string') return parseHeaderLine(header)
    return isNonArrayObject(header) ? parseHeader(header.name, header.value) : undefined
  })
}

/**
 * Parses the headers of the item at `index`: an object, a list of `{ name, value }`, a list of lines, or one
 * line. If a name occurs more than once, joins its values with commas.
 *
 * @throws GraphError `invalid_batch` for any other value, because a dropped header would change the meaning
 * of the item.
 */
export const parseItemHeaders = (input: unknown, index: number): ItemHeaders => {
  const headers = new Map<string, string>()
  let length = 0
  for (const header of parseHeaders(input)) {
    if (header === undefined)
      throw invalidBatchItemError(
        index,
        'headers',
        'an object of names and values, an array of { name, value }, an array of lines, or one line',
        typeof input === 'string' ? 'another string' : describeValue(input),
      )
    const [name, value] = header
    length += name.length + value.length
    if (length > MAX_HEADERS_LENGTH)
      throw invalidBatchError(
        `Request ${index} of the batch: its headers must have at most ${MAX_HEADERS_LENGTH} characters`,
        {
          index,
          path: 'headers',
          limit: MAX_HEADERS_LENGTH,
        },
      )
    const previousValue = headers.get(name)
    headers.set(name, previousValue === undefined ? value : `${previousValue}, ${value}`)
  }
  return Object.fromEntries(headers)
}
