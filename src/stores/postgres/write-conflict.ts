import { isNonArrayObject } from '../../base/json.ts'
import type { StoreReadOptions } from '../../store/contract.ts'
import { assertInTime, settleInTime } from '../../store/settle-in-time.ts'

/** The error code of Postgres for a lock that is not free within `lock_timeout`. */
export const LOCK_TIMEOUT_CODE = '55P03'

/**
 * The error codes of Postgres after which a transaction can be repeated: serialization failure, deadlock, and a
 * lock that is not free.
 */
const RETRYABLE_CODES: readonly unknown[] = ['40001', '40P01', LOCK_TIMEOUT_CODE]

/** Reports that another writer changed rows between the reads and the writes of a transaction. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict'
  readonly code = '40001'

  constructor() {
    super('another writer changed the same rows')
  }
}

const MAX_ATTEMPTS = 10
/**
 * Half of the maximum duration of the first wait, in milliseconds. The maximum doubles with each further
 * wait.
 */
const BASE_WAIT_MS = 5

const isConflict = (cause: unknown): boolean =>
  isNonArrayObject(cause) && RETRYABLE_CODES.includes(cause.code)

/**
 * Runs a function, and repeats it after each conflict and a random wait. Runs the function at most ten times,
 * and not after the deadline.
 */
export const retryOnConflict = async <T>(
  attempt: () => Promise<T>,
  options: StoreReadOptions,
): Promise<T> => {
  for (let attemptNumber = 1; ; attemptNumber++) {
    try {
      return await attempt()
    } catch (cause) {
      if (attemptNumber === MAX_ATTEMPTS || !isConflict(cause)) throw cause
    }
    const waitMs = Math.random() * BASE_WAIT_MS * 2 ** attemptNumber
    const wait = new Promise(resolve => setTimeout(resolve, waitMs))
    await settleInTime(wait, options.signal, options.deadline)
    assertInTime(options)
  }
}
