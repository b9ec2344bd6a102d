import { describeValue } from '../base/describe.ts'
import { GraphError, timeoutError } from '../base/errors.ts'
import { usageError } from '../base/usage-error.ts'

const DEFAULT_WRITE_TIMEOUT_MS = 10_000
/** The longest time of a timer. A longer one would end at once. */
const MAX_WRITE_TIMEOUT_MS = 2 ** 31 - 1

/**
 * Returns the maximum time of a write, in milliseconds.
 *
 * @throws TypeError if the option of the factory is not an integer of this range.
 */
export const parseWriteTimeout = (
  factory: 'createPostgresStore' | 'createRedisStore',
  writeTimeoutMs: number = DEFAULT_WRITE_TIMEOUT_MS,
): number => {
  if (Number.isInteger(writeTimeoutMs) && writeTimeoutMs >= 1 && writeTimeoutMs <= MAX_WRITE_TIMEOUT_MS)
    return writeTimeoutMs
  const expected = `an integer from 1 to ${MAX_WRITE_TIMEOUT_MS}`
  throw usageError(factory, 'writeTimeoutMs', expected, describeValue(writeTimeoutMs))
}

/** Creates the error of a write whose result is unknown. */
export const unknownWriteError = (cause: unknown): GraphError =>
  new GraphError(
    'store_error',
    '(#2) The store failed; it is unknown whether the batch was written',
    {},
    { cause },
  )

/**
 * Settles like a write, or rejects with the error that `createError` creates if it takes longer than
 * `timeoutMs`. The write may still be executed.
 */
export const limitWriteTime = (
  write: Promise<void>,
  timeoutMs: number,
  createError: (cause: unknown) => Error = unknownWriteError,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createError(timeoutError())), timeoutMs)
    write.then(resolve, reject).finally(() => clearTimeout(timer))
  })
