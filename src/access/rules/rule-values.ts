import { describeValue } from '../../base/describe.ts'
import { usageError } from '../../base/usage-error.ts'

/** @throws TypeError for an empty string, or a value that is not a string. */
export const assertNonEmptyText = (location: string, name: string, value: unknown): void => {
  if (typeof value === 'string' && value !== '') return
  throw usageError(location, name, 'a string that is not empty', describeValue(value))
}

/** Whether a rule can compare a value with stored values. */
export const isComparable = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
