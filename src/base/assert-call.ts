import { describeValue } from './describe.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from './options.ts'
import { usageError } from './usage-error.ts'

/** The description of a valid option `fields`. */
export const FIELDS_EXPECTED = 'a string or an array of strings'

const assertFields = (location: string, fields: unknown): void => {
  const isValid =
    typeof fields === 'string' || (Array.isArray(fields) && fields.every(item => typeof item === 'string'))
  if (fields !== undefined && !isValid) {
    throw usageError(location, 'fields', FIELDS_EXPECTED, describeValue(fields))
  }
}

/**
 * Validates the options of a call, before anything is read.
 *
 * @throws TypeError for an unknown option or one of another type.
 */
export const assertCallOptions = (location: string, options: object, kinds: OptionKinds): void => {
  assertObject(location, options)
  assertOptionKinds(location, options, kinds)
  const { fields, signal, debug } = options
  assertFields(location, fields)
  if (debug !== undefined && debug !== 'all')
    throw usageError(location, 'debug', '"all"', describeValue(debug))
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw usageError(location, 'signal', 'an AbortSignal', describeValue(signal))
  }
}

/** @throws TypeError for a value that is not a string. */
export const assertText = (location: string, name: string, value: unknown): void => {
  if (typeof value !== 'string') throw usageError(location, name, 'a string', describeValue(value))
}

/** @throws TypeError for a value that is not an array. */
export const assertIdList: (location: string, ids: unknown) => asserts ids is readonly unknown[] = (
  location,
  ids,
) => {
  if (!Array.isArray(ids)) throw usageError(location, 'ids', 'an array', describeValue(ids))
}
