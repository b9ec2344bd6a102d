import { badParameter, type GraphError } from '../base/faults.ts'
import type { Entry } from './entry.ts'
import { formEntries } from './form.ts'
import { type MemberText, membersIn } from './json-scan.ts'
import { multipartEntries } from './multipart.ts'
import { MOST_PARAMETERS, type RequestValues, tooManyParameters } from './request-values.ts'
import { headerOf, type WireRequest } from './wire.ts'

const notJson = (): GraphError => badParameter('body', 'a JSON object', 'what is none')

/** What is no text keeps its JSON, as it would have in a query. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value.toWellFormed()
  try {
    return JSON.stringify(value)
  } catch {
    // It is too deep to be printed again.
    throw notJson()
  }
}

const isBatch = (name: unknown, value: string): boolean =>
  name === 'batch' && value.trimStart().startsWith('[')

/** A parameter in a member of the body. A batch stays as it is written: its items are parsed after its token is known. */
const entriesOf = ([quoted, text]: MemberText, values: RequestValues): readonly Entry[] => {
  const name = values.parse(quoted)
  if (typeof name !== 'string') throw notJson()
  if (isBatch(name, text)) return [[name, text]]
  const value = values.parse(text)
  if (value === undefined) throw notJson()
  return value === null ? [] : [[name.toWellFormed(), textOf(value)]]
}

/** The members of a JSON object. */
const jsonEntries = (text: string, values: RequestValues): readonly Entry[] => {
  // Before the text is divided, which goes through all of it.
  values.check(text)
  const members = membersIn(text, MOST_PARAMETERS + 1)
  if (members === undefined) throw notJson()
  if (members.length > MOST_PARAMETERS) throw tooManyParameters()
  return members.flatMap(member => entriesOf(member, values))
}

const formPartsOf = (body: string, type: string, values: RequestValues): readonly Entry[] => {
  const entries = multipartEntries(body, type, values)
  if (entries === undefined) throw badParameter('body', 'a multipart form', 'what is none')
  return entries
}

/**
 * The parameters in the body of a request: JSON and multipart forms by their type, everything else as a form.
 *
 * @throws GraphError `bad_parameter` for a body that is not what its type says; `request_too_large`.
 */
export const bodyEntries = (request: WireRequest, values: RequestValues): readonly Entry[] => {
  const { body } = request
  if (body === undefined || body.length === 0) return []
  const type = headerOf(request, 'content-type') ?? ''
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  if (/^multipart\/form-data\b/i.test(type)) return formPartsOf(text, type, values)
  if (/^application\/json\b/i.test(type)) return jsonEntries(text, values)
  return formEntries(text, values)
}
