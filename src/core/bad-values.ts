import { describeValue } from '../base/describe.ts'
import { GraphError } from '../base/errors.ts'
import { usageErrorAbout } from '../base/usage-error.ts'

/**
 * Selects how a value that is not valid for the type of its field is handled: the value is left out and
 * reported, the call fails, or the value is not checked.
 */
export type ValueCheckMode = 'report' | 'error' | 'off'

/**
 * A placeholder for a value that is not valid for its type. The value is reported only if the result would
 * contain its field.
 */
export class BadValue {
  readonly expected: string
  /** The value, or the `Error` that a `resolve` returned instead of a value. */
  readonly received: unknown

  constructor(expected: string, received: unknown) {
    this.expected = expected
    this.received = received
  }
}

/**
 * Creates the error that a call throws if `checkValues` is `error`. Only the `cause` of the error contains
 * the received value.
 */
export const badValueError = (type: string, field: string, { expected, received }: BadValue): GraphError => {
  const cause =
    received instanceof Error
      ? received
      : usageErrorAbout(`${type}.${field}`, 'the value', expected, describeValue(received))
  const message = `(#1) The value of field ${field} of ${type} is not valid`
  return new GraphError('internal_error', message, {}, { cause })
}
