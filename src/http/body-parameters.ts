import { type GraphError, invalidParameterError } from '../base/errors.ts'
import { type MemberText, splitMembers } from '../base/json-scan.ts'
import { parseForm } from './form.ts'
import type { RawParameter } from './parameters.ts'
import { MAX_PARAMETERS, tooManyParametersError, type ValueBudget } from './value-budget.ts'
import { headerOf, type WireRequest } from './wire.ts'

/** The parameters in the body of a request. */
export type BodyParameters = {
  readonly parameters: readonly RawParameter[]
  /** The name of the first part of a multipart form that is a file, which no call accepts. */
  readonly fileName: string | undefined
}

const BOUNDARY_PATTERN = /;[ \t]*boundary=(?:"([^"]+)"|([^\s;"]+))/i
const DISPOSITION_PATTERN = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im
const NAME_PATTERN = /;[ \t]*name=(?:"([^"]*)"|([^\s;"]+))/i
const FILENAME_PATTERN = /;[ \t]*filename\*?=/i

const CRLF = '\r\n'
const END_OF_HEADERS = '\r\n\r\n'

/** The maximum length of the headers of a part, in characters. */
const MAX_HEADERS_LENGTH = 16_384

/** Decodes `%22`, `%0D` and `%0A`, which browsers use to escape characters in names. */
const unescapeName = (name: string): string =>
  name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')

/** A part of a multipart form: a field, or a file. */
type Part = { readonly name: string; readonly text: string; readonly isFile: boolean }

/** Parses a part. Returns `undefined` if it is neither a field nor a file. */
const parsePart = (part: string): Part | undefined => {
  const headersEnd = part.indexOf(END_OF_HEADERS)
  if (!part.startsWith(CRLF) || headersEnd < 0 || headersEnd > MAX_HEADERS_LENGTH) return undefined
  const [, disposition = ''] = DISPOSITION_PATTERN.exec(part.slice(0, headersEnd)) ?? []
  const [, quoted, unquoted] = NAME_PATTERN.exec(disposition) ?? []
  const name = quoted ?? unquoted
  if (name === undefined) return undefined
  return {
    name: unescapeName(name),
    text: part.slice(headersEnd + END_OF_HEADERS.length),
    isFile: FILENAME_PATTERN.test(disposition),
  }
}

/**
 * Parses the fields of a multipart form. Returns `undefined` if the body is not a multipart form. The form parsers of
 * the runtimes are too slow: they take 60 ms or more for 1 MiB of small parts or headers.
 *
 * @throws GraphError `request_too_large` if the form has more parts than a request may have parameters.
 */
const parseMultipart = (
  body: string,
  contentType: string,
  valueBudget: ValueBudget,
): BodyParameters | undefined => {
  const [, quoted, unquoted] = BOUNDARY_PATTERN.exec(contentType) ?? []
  const boundary = quoted ?? unquoted
  if (boundary === undefined) return undefined
  const delimiter = `${CRLF}--${boundary}`
  const text = `${CRLF}${body}`.trimEnd()
  const parameters: RawParameter[] = []
  let fileName: string | undefined
  let partCount = 0
  for (let delimiterIndex = text.indexOf(delimiter); delimiterIndex >= 0; ) {
    const start = delimiterIndex + delimiter.length
    // Some clients omit the two dashes after the last boundary.
    if (start === text.length || text.startsWith('--', start)) return { parameters, fileName }
    valueBudget.takeParameter(partCount++)
    delimiterIndex = text.indexOf(delimiter, start)
    const part = delimiterIndex < 0 ? undefined : parsePart(text.slice(start, delimiterIndex))
    if (part === undefined) return undefined
    if (part.isFile) fileName ??= part.name
    else parameters.push([part.name, part.text])
  }
  return undefined
}

const invalidJsonBodyError = (received = 'JSON with a syntax error'): GraphError =>
  invalidParameterError('body', 'a JSON object', received)

/** Converts a value to text. A value that is not a string becomes JSON, as in a query. */
const toParameterText = (value: unknown): string => {
  if (typeof value === 'string') return value.toWellFormed()
  try {
    return JSON.stringify(value)
  } catch {
    // The value is nested too deeply to be converted back to JSON.
    throw invalidJsonBodyError('JSON with too many levels')
  }
}

const isBatchText = (name: unknown, value: string): boolean =>
  name === 'batch' && value.trimStart().startsWith('[')

/**
 * Converts a member of the body to a parameter. The member `batch` stays text, because the items are parsed
 * only after the token has been checked.
 */
const parseMember = ([quotedName, valueText]: MemberText, valueBudget: ValueBudget): RawParameter => {
  const name = valueBudget.parse(quotedName)
  if (typeof name !== 'string') throw invalidJsonBodyError()
  if (isBatchText(name, valueText)) return [name, valueText]
  const value = valueBudget.parse(valueText)
  if (value === undefined) throw invalidJsonBodyError()
  return [name.toWellFormed(), toParameterText(value), value]
}

/** Whether a body of this content type is JSON. */
export const isJsonType = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/json\b/i.test(contentType)

/** Parses a JSON object. Each member becomes a parameter. */
const parseJsonParameters = (text: string, valueBudget: ValueBudget): readonly RawParameter[] => {
  // Limits the number of values first, because splitting scans the whole text.
  valueBudget.assertFits(text)
  const members = splitMembers(text, MAX_PARAMETERS + 1)
  if (members === undefined)
    throw invalidJsonBodyError(/^\s*\{/.test(text) ? undefined : 'a body that does not begin with "{"')
  if (members.length > MAX_PARAMETERS) throw tooManyParametersError()
  return members.map(member => parseMember(member, valueBudget))
}

/** The parameters of a request without a body, or with a body that is ignored. */
export const NO_BODY_PARAMETERS: BodyParameters = { parameters: [], fileName: undefined }

/**
 * Parses the parameters in the body of a request: JSON and multipart forms by their content type, and any
 * other body as a URL-encoded form.
 *
 * @throws GraphError `invalid_parameter` for a body that does not match its type; `request_too_large`.
 */
export const parseBodyParameters = (request: WireRequest, valueBudget: ValueBudget): BodyParameters => {
  const { body } = request
  if (body === undefined || body.length === 0) return NO_BODY_PARAMETERS
  const contentType = headerOf(request, 'content-type') ?? ''
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  if (/^multipart\/form-data\b/i.test(contentType)) {
    const form = parseMultipart(text, contentType, valueBudget)
    if (form === undefined) throw invalidParameterError('body', 'a multipart form', 'another body')
    return form
  }
  const parse = isJsonType(contentType) ? parseJsonParameters : parseForm
  return { parameters: parse(text, valueBudget), fileName: undefined }
}
