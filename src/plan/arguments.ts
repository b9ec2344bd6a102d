import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import type { JsonValue } from '../base/json.ts'
import { textOf } from '../fields/argument.ts'
import type { Modifier } from '../fields/expression.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import { type FieldType, Mismatch } from '../schema/field-type.ts'

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const truth = (value: unknown): unknown => (value === 1 ? true : value === 0 ? false : value)

/**
 * Reads a parameter of a field: text as it stands or in quotes, everything else as JSON, true and false also as 1 and 0.
 *
 * @throws GraphError `bad_parameter`.
 */
export const readArgument = ({ name, argument }: Modifier, type: FieldType): JsonValue => {
  const value = type.notation === 'text' ? textOf(argument) : parseJson(argument)
  try {
    return type.parse(type.name === 'bool' ? truth(value) : value)
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    throw badParameter(`${name}${error.path}`, error.expected, describe(argument))
  }
}

/** A page's size: an integer from 1, lowered to the largest allowed; or 0 with a summary, for the count without entries. */
export const readLimit = (value: unknown, largest: number, summary = false): number => {
  const limit = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  const least = summary ? 0 : 1
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= least)
    return Math.min(limit, largest)
  throw badParameter('limit', 'an integer from 1, or 0 with a summary', describe(value))
}

/** An order by its name. */
export const readOrder = (value: unknown): EdgeOrder => {
  if (value === 'chronological' || value === 'reverse_chronological') return value
  throw badParameter('order', 'chronological or reverse_chronological', describe(value))
}

/** Whether a summary is asked for. Clients in the wild also list what it should hold: it holds what it does. */
export const readSummary = (value: unknown): boolean => {
  const asked = truth(typeof value === 'string' ? parseJson(value) : value)
  if (typeof asked === 'boolean') return asked
  const isList =
    typeof value === 'string' && (Array.isArray(asked) || value.split(',').includes('total_count'))
  if (isList) return true
  throw badParameter('summary', 'true or false', describe(value))
}
