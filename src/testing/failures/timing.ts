import { fail } from '../assertions.ts'

/** A call that starts this long after a failure is over must succeed, in milliseconds. */
const RECOVERY_MS = 5000
/** The delay between two attempts of a call after a failure, in milliseconds. */
const RETRY_DELAY_MS = 50

export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Reports a call that does not end in time. */
class UnendedCallError extends Error {
  override readonly name = 'UnendedCallError'
}

/** Waits for a promise. Throws if it does not settle in time. */
export const settleWithin = async <T>(promise: Promise<T>, timeoutMs: number, label: string): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    const error = new UnendedCallError(`${label} did not end within ${timeoutMs} ms`)
    timer = setTimeout(() => reject(error), timeoutMs)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until a check returns true. Throws if this takes too long. */
export const waitUntil = async (check: () => boolean, timeoutMs: number, label: string): Promise<void> => {
  for (const end = Date.now() + timeoutMs; !check(); await sleep(1))
    if (Date.now() > end) fail(`expected within ${timeoutMs} ms: ${label}`)
}

/**
 * Repeats a call while it fails. A call that starts more than five seconds after the failure must succeed. A
 * call that does not end in time is never repeated: it could still change the store.
 */
export const recover = async (call: () => Promise<void>, timeoutMs: number, label: string): Promise<void> => {
  const start = Date.now()
  for (;;) {
    const isLast = Date.now() - start >= RECOVERY_MS
    try {
      await settleWithin(call(), timeoutMs, label)
      return
    } catch (cause) {
      if (cause instanceof UnendedCallError) throw cause
      if (isLast) throw new Error(`${label} failed ${RECOVERY_MS} ms after the failure was over`, { cause })
    }
    await sleep(RETRY_DELAY_MS)
  }
}
