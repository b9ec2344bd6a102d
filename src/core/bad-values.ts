import { describeValue } from '../base/describe.ts'
import { GraphError } from '../base/errors.ts'
import { usageErrorAbout } from '../base/usage-error.ts'

/**
 * Selects what happens to a value that is not valid for the type of its field: it is left out and reported,
 * it fails the call, or it is not checked.
 */
export type ValueCheckMode = 'report' | 'error' | 'off'

/**
 * A placeholder for a value that is not valid for its type. The value is reported only if the result would
 * contain its field.
 */
export class BadValue {
  readonly expected: string
  /** The value, or the `Error` that a `resolve` returned instead of it. */
  readonly received: unknown

  constructor(expected: string, received: unknown) {
    this.expected = expected
    this.received = received
  }
}

/**
 * Creates the error that a call throws if `checkValues` is `error`. The received value is only in its
 * `cause`.
 */
export const badValueError = (type: string, field: string, { expected, received }: BadValue): GraphError => {
  const cause =
    received instanceof Error
      ? received
      : usageErrorAbout(`${type}.${field}`, 'the value', expected, describeValue(received))
  const message = `(#1) The value of field ${field} of ${type} is not valid`
  return new GraphError('internal_error', message, {}, { cause })
}
