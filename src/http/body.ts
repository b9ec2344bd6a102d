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

/** The fields of a multipart form; files are of no use here. */
const multipartEntries = async (body: string | Uint8Array, type: string): Promise<Entry[]> => {
  try {
    // Copied, since a view of shared memory would not do.
    const bytes = typeof body === 'string' ? body : Uint8Array.from(body)
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
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
