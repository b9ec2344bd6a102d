import { describeValue } from '../base/describe.ts'
import { usageError } from '../base/usage-error.ts'

/** @throws TypeError if an option is not a positive integer. With 0, tests would pass without testing anything. */
export const assertCount = (location: string, name: string, value: unknown): void => {
  if (!Number.isSafeInteger(value) || Number(value) < 1)
    throw usageError(location, name, 'an integer of at least 1', describeValue(value))
}
