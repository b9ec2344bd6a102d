import { describe } from '../base/describe.ts'
import { badParameter, GraphError, isGraphError } from '../base/faults.ts'

/** A parameter of a request, not encoded yet. */
export type Parameter = readonly [name: string, text: string]

/** The options of a call, whatever it reads. */
export type RemoteCall = { readonly [option: string]: unknown }

/** Parameters that are not called as the option is. */
const NAMES = new Map([
  ['type', 'node_type'],
  ['proof', 'appsecret_proof'],
])

/** What goes into the path, or stays here. */
const ELSEWHERE = ['id', 'ids', 'edge', 'target', 'version', 'signal']

/**
 * Servers take text that begins with a bracket for a list of expressions: in a list of its own it stays one.
 *
 * @throws GraphError `bad_parameter` for half of a surrogate pair, which would be replaced on its way.
 */
const fieldsText = (fields: unknown): string => {
  const text = Array.isArray(fields) ? fields.join(',') : String(fields)
  if (!text.isWellFormed())
    throw badParameter('fields', 'well-formed text', 'text with half of a surrogate pair')
  return text.trimStart().startsWith('[') ? JSON.stringify([text]) : text
}

const SIMPLE = ['string', 'number', 'boolean']

const isDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

/** Servers refuse it, where they would take empty text for none. */
const BLANK = ' '

/** What no parameter can be, such as a list that reads as a number, goes out blank, to be refused as in-process. */
export const parameterText = (value: unknown): string => {
  if (isDate(value)) return value.toISOString()
  return SIMPLE.includes(typeof value) || value === null ? String(value) || BLANK : BLANK
}

/** What a call asks, as a query or a form carries it. @throws GraphError `bad_parameter` for text that none can carry. */
export const parametersOf = (call: RemoteCall): Parameter[] =>
  Object.entries(call)
    .filter(([option, value]) => value !== undefined && !ELSEWHERE.includes(option))
    .map(([option, value]) => [
      NAMES.get(option) ?? option,
      option === 'fields' ? fieldsText(value) : parameterText(value),
    ])

/**
 * A fault that tells of a parameter as the caller wrote it, where the server saw the text that it became on the way: the
 * fault that the call would have in-process.
 */
export const asCalled = (fault: unknown, call: RemoteCall): unknown => {
  if (!isGraphError(fault) || fault.data.reason !== 'bad_parameter') return fault
  const { parameter, came } = fault.data
  if (typeof parameter !== 'string' || typeof came !== 'string' || !Object.hasOwn(call, parameter))
    return fault
  const written = describe(call[parameter])
  if (written === came || describe(parameterText(call[parameter])) !== came) return fault
  const { traceId, message, data } = fault
  const corrected = message.endsWith(came) ? message.slice(0, -came.length) + written : message
  return new GraphError('bad_parameter', corrected, { ...data, came: written }, { traceId })
}
