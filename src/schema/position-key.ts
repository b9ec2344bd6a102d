import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertOptionKinds } from '../base/options.ts'
import { formatChoices, usageError } from '../base/usage-error.ts'

/**
 * What the store's positions in the lists of an edge hold as their `key`.
 */
export type PositionKey = {
  /**
   * `time`: times that are finer than milliseconds. `text`: any other values, so that `since` and `until` are
   * errors.
   */
  readonly kind: 'time' | 'text'
  /**
   * The field of the targets that shows the value. If it has no scope and no policy on every type of the targets,
   * the cursors are not encrypted. Default: no field shows the value, and the cursors are encrypted.
   */
  readonly field?: string | undefined
}

const KINDS = ['time', 'text']

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
  if (typeof kind !== 'string' || !KINDS.includes(kind))
    throw usageError('edge', 'positionKey.kind', formatChoices(KINDS), describeValue(kind))
  return Object.freeze({
    kind: kind === 'time' ? kind : 'text',
    field: typeof field === 'string' ? field : undefined,
  })
}
