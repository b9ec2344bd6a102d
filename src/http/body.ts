import { badParameter } from '../base/faults.ts'
import { isPlainObject } from '../base/json.ts'
import { headerOf, type WireRequest } from './wire.ts'

/** A parameter as it came: its name and its text. */
export type Entry = readonly [name: string, text: string]

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()

/** What is no text keeps its JSON, as it would have in a query. */
const entriesOf = (object: { readonly [name: string]: unknown }): Entry[] =>
  Object.entries(object).flatMap(([name, member]) =>
    member === null ? [] : [[name.toWellFormed(), textOf(member)] as const],
  )

/** The members of a JSON object. */
const jsonEntries = (text: string): Entry[] => {
  try {
    const value: unknown = JSON.parse(text)
    if (isPlainObject(value)) return entriesOf(value)
  } catch {}
  // Neither JSON, nor an object, nor so shallow that it can be printed again.
  throw badParameter('body', 'a JSON object', 'what is none')
}

const LAST_SPACE = 0x20
const DASH = 0x2d

/** Some clients leave out the two dashes behind the last boundary, which end a form. */
const closed = (bytes: Uint8Array): Blob => {
  const end = bytes.findLastIndex(byte => byte > LAST_SPACE)
  const isClosed = bytes[end] === DASH && bytes[end - 1] === DASH
  // Copied, since a view of shared memory would not do.
  const kept = Uint8Array.from(bytes.subarray(0, end + 1))
  return new Blob([kept, isClosed ? '\r\n' : '--\r\n'])
}

/** The fields of a multipart form; files are of no use here. */
const multipartEntries = async (body: string | Uint8Array, type: string): Promise<Entry[]> => {
  try {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    const form = await new Response(closed(bytes), { headers: { 'content-type': type } }).formData()
    return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
  } catch {
    throw badParameter('body', 'a multipart form', 'what is none')
  }
}

/**
 * The parameters in the body of a request: JSON and multipart forms by their type, everything else as a form.
 *
 * @throws GraphError `bad_parameter` for a body that is not what its type says.
 */
export const bodyEntries = async (request: WireRequest): Promise<readonly Entry[]> => {
  const { body } = request
  if (body === undefined || body.length === 0) return []
  const type = headerOf(request, 'content-type') ?? ''
  if (/^multipart\/form-data\b/i.test(type)) return multipartEntries(body, type)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  if (/^application\/json\b/i.test(type)) return jsonEntries(text)
  return [...new URLSearchParams(text)]
}
