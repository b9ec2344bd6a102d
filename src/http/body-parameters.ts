import { type GraphError, invalidParameterError } from '../base/errors.ts'
import { parseForm } from './form.ts'
import { type MemberText, splitMembers } from './json-scan.ts'
import { parseMultipart } from './multipart.ts'
import type { RawParameter } from './raw-parameter.ts'
import { MAX_PARAMETERS, tooManyParametersError, type ValueBudget } from './value-budget.ts'
import { headerOf, type WireRequest } from './wire.ts'

const invalidJsonBodyError = (): GraphError => invalidParameterError('body', 'a JSON object', 'another body')

/** Converts a value to text. A value that is not a string becomes JSON, as in a query. */
const toParameterText = (value: unknown): string => {
  if (typeof value === 'string') return value.toWellFormed()
  try {
    return JSON.stringify(value)
  } catch {
    // The value is too deep to be printed again.
    throw invalidJsonBodyError()
  }
}

const isBatchText = (name: unknown, value: string): boolean =>
  name === 'batch' && value.trimStart().startsWith('[')

/**
 * Converts a member of the body to parameters. A batch stays unparsed, since its items are parsed after its
 * token is known.
 */
const parseMember = (
  [quotedName, valueText]: MemberText,
  valueBudget: ValueBudget,
): readonly RawParameter[] => {
  const name = valueBudget.parse(quotedName)
  if (typeof name !== 'string') throw invalidJsonBodyError()
  if (isBatchText(name, valueText)) return [[name, valueText]]
  const value = valueBudget.parse(valueText)
  if (value === undefined) throw invalidJsonBodyError()
  return value === null ? [] : [[name.toWellFormed(), toParameterText(value)]]
}

/** Parses the members of a JSON object. */
const parseJsonParameters = (text: string, valueBudget: ValueBudget): readonly RawParameter[] => {
  // Checked before the text is split, which scans all of it.
  valueBudget.assertFits(text)
  const members = splitMembers(text, MAX_PARAMETERS + 1)
  if (members === undefined) throw invalidJsonBodyError()
  if (members.length > MAX_PARAMETERS) throw tooManyParametersError()
  return members.flatMap(member => parseMember(member, valueBudget))
}

const parseMultipartParameters = (
  body: string,
  contentType: string,
  valueBudget: ValueBudget,
): readonly RawParameter[] => {
  const parameters = parseMultipart(body, contentType, valueBudget)
  if (parameters === undefined) throw invalidParameterError('body', 'a multipart form', 'another body')
  return parameters
}

/**
 * Parses the parameters in the body of a request: JSON and multipart forms by their type, everything else as
 * a form.
 *
 * @throws GraphError `invalid_parameter` for a body that does not match its type; `request_too_large`.
 */
export const parseBodyParameters = (
  request: WireRequest,
  valueBudget: ValueBudget,
): readonly RawParameter[] => {
  const { body } = request
  if (body === undefined || body.length === 0) return []
  const contentType = headerOf(request, 'content-type') ?? ''
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  if (/^multipart\/form-data\b/i.test(contentType))
    return parseMultipartParameters(text, contentType, valueBudget)
  if (/^application\/json\b/i.test(contentType)) return parseJsonParameters(text, valueBudget)
  return parseForm(text, valueBudget)
}
