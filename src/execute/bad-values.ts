import { describe } from '../base/describe.ts'
import { GraphError } from '../base/faults.ts'

/** What a graph does with a value that is not valid for the type of its field. */
export type CheckValues = 'report' | 'error' | 'off'

/** Is in the place of a value that is not valid for its type, until it is certain that the field would be returned. */
export class BadValue {
  readonly expected: string
  /** The value, or the `Error` that a `resolve` returned in its place. */
  readonly received: unknown

  constructor(expected: string, received: unknown) {
    this.expected = expected
    this.received = received
  }
}

/** The error of a call of a graph that does not tolerate bad values. What was received is in its `cause` alone. */
export const badValueError = (type: string, field: string, { expected, received }: BadValue): GraphError => {
  const cause =
    received instanceof Error
      ? received
      : new TypeError(`${type}.${field}: expected ${expected}; received ${describe(received)}`)
  const message = `(#1) The value of field ${field} of ${type} is not valid`
  return new GraphError('internal', message, {}, { cause })
}
