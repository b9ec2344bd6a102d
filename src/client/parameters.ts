import { isCallParameter } from '../base/call-parameters.ts'
import { describeValue, shortenText } from '../base/describe.ts'
import { GraphError, invalidParameterError, isGraphError } from '../base/errors.ts'
import { isNonArrayObject } from '../base/json.ts'
import { usageError } from '../base/usage-error.ts'

/** A parameter of a request, not yet encoded. */
export type QueryParameter = readonly [name: string, text: string]

/** The options of a call of any method. */
export type RemoteCallOptions = { readonly [option: string]: unknown }

/** Parameters whose names differ from those of their options. */
const PARAMETER_NAMES = new Map([
  ['type', 'node_type'],
  ['proof', 'appsecret_proof'],
])

/** Options that are part of the target, that are not sent, or that contain several parameters. */
const NON_PARAMETER_OPTIONS = ['id', 'ids', 'edge', 'target', 'version', 'signal', 'parameters']

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

/** Returns the parameters of the edge by name, without those that have no value. */
const edgeParametersOf = ({ parameters }: RemoteCallOptions): { readonly [name: string]: unknown } =>
  isNonArrayObject(parameters)
    ? Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined))
    : {}

/**
 * Rejects parameters of the edge or the action that the server would use as parameters of the call.
 *
 * @throws TypeError
 */
export const assertOwnParameters = (
  method: string,
  call: RemoteCallOptions,
  owner: 'edge' | 'action' = 'edge',
): void => {
  const callParameter = Object.keys(edgeParametersOf(call)).find(
    name => isCallParameter(name) || name.startsWith('fields['),
  )
  if (callParameter === undefined) return
  const name = `parameters.${shortenText(callParameter)}`
  throw usageError(method, name, `a parameter of the ${owner}`, 'a parameter that every call has')
}

/**
 * Formats a parameter of the edge. Empty text stays empty, because it is a value of a string.
 *
 * @throws GraphError `invalid_parameter` for text that cannot be encoded, or a value that no parameter has.
 */
const formatEdgeParameter = (name: string, value: unknown): string => {
  if (typeof value === 'string' && !value.isWellFormed())
    throw invalidParameterError(name, 'a well-formed string', describeValue(value))
  if (isDate(value)) return value.toISOString()
  if (PRIMITIVE_TYPES.includes(typeof value)) return String(value)
  throw invalidParameterError(name, 'a string, a number, a boolean or a Date', describeValue(value))
}

/**
 * Converts a call to the parameters of a query or form.
 *
 * @throws GraphError `invalid_parameter` for text that cannot be encoded, or a value that no parameter has.
 */
export const toParameters = (call: RemoteCallOptions): QueryParameter[] => [
  ...Object.entries(call)
    .filter(([option, value]) => value !== undefined && !NON_PARAMETER_OPTIONS.includes(option))
    .map(
      ([option, value]): QueryParameter => [
        PARAMETER_NAMES.get(option) ?? option,
        option === 'fields' ? formatFields(value) : formatParameter(value),
      ],
    ),
  ...Object.entries(edgeParametersOf(call)).map(
    ([name, value]): QueryParameter => [name, formatEdgeParameter(name, value)],
  ),
]

/** Returns the value that a caller gave for a parameter, and its text, or undefined if there is none. */
const findCallerValue = (
  call: RemoteCallOptions,
  parameter: string,
): { readonly value: unknown; readonly text: string } | undefined => {
  const edgeParameters = edgeParametersOf(call)
  if (Object.hasOwn(edgeParameters, parameter)) {
    const value = edgeParameters[parameter]
    return { value, text: formatEdgeParameter(parameter, value) }
  }
  if (!Object.hasOwn(call, parameter)) return undefined
  return { value: call[parameter], text: formatParameter(call[parameter]) }
}

/**
 * Replaces the received text in an error about a parameter with the value of the caller. The server received
 * the value as text, but the error must equal the error of an in-process call.
 */
export const restoreCallerValue = (error: unknown, call: RemoteCallOptions): unknown => {
  if (!isGraphError(error) || error.reason !== 'invalid_parameter') return error
  const { parameter, received } = error.data
  if (typeof parameter !== 'string' || typeof received !== 'string') return error
  const callerValue = findCallerValue(call, parameter)
  if (callerValue === undefined) return error
  const callerValueText = describeValue(callerValue.value)
  if (callerValueText === received || describeValue(callerValue.text) !== received) return error
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
