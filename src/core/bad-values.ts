import { describeValue } from '../base/describe.ts'
import { GraphError } from '../base/errors.ts'
import { usageErrorAbout } from '../base/usage-error.ts'

/** The handling of a value that is not valid for the type of its field. */
export type ValueCheckMode = 'report' | 'error' | 'off'

/**
 * A placeholder for a value that is not valid for its type. It is reported only if the field would be
 * returned.
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

/** The error of a call if `checkValues` is `error`. Only its `cause` has the received value. */
export const badValueError = (type: string, field: string, { expected, received }: BadValue): GraphError => {
  const cause =
    received instanceof Error
      ? received
      : usageErrorAbout(`${type}.${field}`, 'the value', expected, describeValue(received))
  const message = `(#1) The value of field ${field} of ${type} is not valid`
  return new GraphError('internal_error', message, {}, { cause })
}
