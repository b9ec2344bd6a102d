import { isPlainObject } from '../../base/json.ts'
import type { ReadOptions } from '../../store/contract.ts'
import { assertTimely } from '../../store/settle.ts'

/** Postgres's words for "try the transaction again": serialization failure, and deadlock detected. */
const RETRIABLE: readonly unknown[] = ['40001', '40P01']

/** That another writer came between the reads and the writes of a transaction. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict'
  readonly code = '40001'

  constructor() {
    super('another writer came between')
  }
}

const ATTEMPTS = 10
/** Milliseconds that the first wait may take; each further one twice as many. */
const FIRST_WAIT = 5

const isConflict = (cause: unknown): boolean => isPlainObject(cause) && RETRIABLE.includes(cause.code)

/** Does what may conflict with others again, after a random wait, up to ten times in all. */
export const retryConflicts = async <T>(attempt: () => Promise<T>, options: ReadOptions): Promise<T> => {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (cause) {
      if (tried === ATTEMPTS || !isConflict(cause)) throw cause
    }
    await new Promise(resolve => setTimeout(resolve, Math.random() * FIRST_WAIT * 2 ** tried))
    assertTimely(options)
  }
}
