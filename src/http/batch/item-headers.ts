import { describe } from '../../base/describe.ts'
import { isPlainObject } from '../../base/json.ts'
import { badBatch } from './bad-batch.ts'

/** The headers of an item by their names in lower case. */
export type ItemHeaders = { readonly [name: string]: string }

/** Characters of all headers of an item, as servers accept them from a request of its own. */
const LONGEST = 16_384

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a header cannot have
const CONTROL = /[\u0000\u000a\u000d]/

type Header = readonly [name: string, value: string]

const headerOf = (name: unknown, value: unknown): Header | undefined =>
  typeof name === 'string' && typeof value === 'string' && NAME.test(name.trim()) && !CONTROL.test(value)
    ? [name.trim().toLowerCase(), value.trim()]
    : undefined

const lineOf = (text: string): Header | undefined => {
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : headerOf(text.slice(0, colon), text.slice(colon + 1))
}

const headersIn = (headers: unknown): readonly (Header | undefined)[] => {
  if (headers === undefined || headers === null) return []
  if (typeof headers === 'string') return [lineOf(headers)]
  if (isPlainObject(headers)) return Object.entries(headers).map(([name, value]) => headerOf(name, value))
  if (!Array.isArray(headers)) return [undefined]
  return headers.map((header: unknown) => {
    if (typeof header === 'string') return lineOf(header)
    return isPlainObject(header) ? headerOf(header.name, header.value) : undefined
  })
}

/**
 * The headers of the item at `index`: an object, a list of `{ name, value }`, a list of lines, or one line. Those of one name
 * are one, with a comma between.
 *
 * @throws GraphError `bad_batch` for anything else, since a header that was dropped would change what the item means.
 */
export const itemHeaders = (given: unknown, index: number): ItemHeaders => {
  const headers = new Map<string, string>()
  let length = 0
  for (const header of headersIn(given)) {
    if (header === undefined)
      throw badBatch(
        `Request ${index} of the batch: headers must be an object of names and values, a list of { name, value }, a list of lines, or one line; received ${typeof given === 'string' ? 'another text' : describe(given)}`,
        { index, path: 'headers' },
      )
    const [name, value] = header
    length += name.length + value.length
    if (length > LONGEST)
      throw badBatch(`Request ${index} of the batch: its headers have at most ${LONGEST} characters`, {
        index,
        path: 'headers',
        limit: LONGEST,
      })
    const known = headers.get(name)
    headers.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  return Object.fromEntries(headers)
}
