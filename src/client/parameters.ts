import { describeValue } from '../base/describe.ts'
import { GraphError, invalidParameterError, isGraphError } from '../base/errors.ts'

/** A parameter of a request, not yet encoded. */
export type QueryParameter = readonly [name: string, text: string]

/** The options of a call of any method. */
export type RemoteCallOptions = { readonly [option: string]: unknown }

/** Parameters whose names differ from those of their options. */
const PARAMETER_NAMES = new Map([
  ['type', 'node_type'],
  ['proof', 'appsecret_proof'],
])

/** Options that are part of the target, or that are not sent. */
const NON_PARAMETER_OPTIONS = ['id', 'ids', 'edge', 'target', 'version', 'signal']

/**
 * Formats `fields`. Text that begins with a bracket is sent as a list with one expression, because a server
 * parses such text as a list.
 *
 * @throws GraphError `invalid_parameter` for an unpaired surrogate, which encoding would replace.
 */
const formatFields = (fields: unknown): string => {
  const text = Array.isArray(fields) ? fields.join(',') : String(fields)
  if (!text.isWellFormed())
    throw invalidParameterError('fields', 'a well-formed string', 'a string with half of a surrogate pair')
  return text.trimStart().startsWith('[') ? JSON.stringify([text]) : text
}

const PRIMITIVE_TYPES = ['string', 'number', 'boolean']

const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

/** Servers reject a blank, but treat empty text as a missing parameter. */
const BLANK_TEXT = ' '

/**
 * Formats a parameter. A value of a wrong type, such as an array, becomes a blank, so that the server rejects
 * it as an in-process call does. Converted to text, the array `[5]` would be a valid number.
 */
export const formatParameter = (value: unknown): string => {
  if (isDate(value)) return value.toISOString()
  return PRIMITIVE_TYPES.includes(typeof value) || value === null ? String(value) || BLANK_TEXT : BLANK_TEXT
}

/**
 * Converts a call to the parameters of a query or form.
 *
 * @throws GraphError `invalid_parameter` for text that cannot be encoded.
 */
export const toParameters = (call: RemoteCallOptions): QueryParameter[] =>
  Object.entries(call)
    .filter(([option, value]) => value !== undefined && !NON_PARAMETER_OPTIONS.includes(option))
    .map(([option, value]) => [
      PARAMETER_NAMES.get(option) ?? option,
      option === 'fields' ? formatFields(value) : formatParameter(value),
    ])

/**
 * Replaces the received text in an error about a parameter with the value of the caller. The server received
 * the value as text, but the error must equal the error of an in-process call.
 */
export const restoreCallerValue = (error: unknown, call: RemoteCallOptions): unknown => {
  if (!isGraphError(error) || error.reason !== 'invalid_parameter') return error
  const { parameter, received } = error.data
  if (typeof parameter !== 'string' || typeof received !== 'string' || !Object.hasOwn(call, parameter))
    return error
  const callerValueText = describeValue(call[parameter])
  if (callerValueText === received || describeValue(formatParameter(call[parameter])) !== received)
    return error
  const { traceId, message, data } = error
  const correctedMessage = message.endsWith(received)
    ? message.slice(0, -received.length) + callerValueText
    : message
  return new GraphError(
    'invalid_parameter',
    correctedMessage,
    { ...data, received: callerValueText },
    { traceId },
  )
}
