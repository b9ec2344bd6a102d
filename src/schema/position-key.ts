import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertOptionKinds } from '../base/options.ts'
import { formatChoices, usageError } from '../base/usage-error.ts'

/** The declaration that the positions in the lists of an edge have a `key`. */
export type PositionKey = {
  /**
   * `time`: times that are finer than milliseconds. `text`: any other values, so that `since` and `until` are
   * errors.
   */
  readonly kind: 'time' | 'text'
  /**
   * The field of the targets that shows the value. If it is stored, without scope and policy, on every type of the
   * targets, the cursors are not encrypted. Default: no field shows the value, and the cursors are encrypted.
   */
  readonly field?: string | undefined
}

/**
 * Reads the option `positionKey` of an edge.
 *
 * @throws TypeError for an unknown kind or member.
 */
export const toPositionKey = (value: unknown): PositionKey | undefined => {
  if (value === undefined) return undefined
  if (!isNonArrayObject(value))
    throw usageError('edge', 'positionKey', 'an object with "kind"', describeValue(value))
  assertOptionKinds('edge', value, { kind: 'text', field: 'text' }, 'positionKey')
  const { kind, field } = value
  if (kind !== 'time' && kind !== 'text')
    throw usageError('edge', 'positionKey.kind', formatChoices(['time', 'text']), describeValue(kind))
  return Object.freeze({ kind, field: typeof field === 'string' ? field : undefined })
}
