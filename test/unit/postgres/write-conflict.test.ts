import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UNTIMED_OPTIONS } from '../../../src/stores/postgres/database.ts'
import { retryOnConflict, WriteConflict } from '../../../src/stores/postgres/write-conflict.ts'

/** Creates a write that fails a number of times with the given cause, and counts its attempts. */
const createFailingWrite = (cause: unknown, times: number) => {
  const attempts = { made: 0 }
  const attempt = async (): Promise<string> => {
    if (attempts.made++ < times) throw cause
    return 'done'
  }
  return { attempt, attempts }
}

/** Runs all fake timers until the assertion is done. */
const withFakeTimers = (assertion: Promise<void>): Promise<unknown> =>
  Promise.all([assertion, vi.advanceTimersByTimeAsync(60_000)])

describe('retryOnConflict', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('retries after a serialization failure, a deadlock, a lock that is not free and a WriteConflict', async () => {
    for (const cause of [{ code: '40001' }, { code: '40P01' }, { code: '55P03' }, new WriteConflict()]) {
      const { attempt, attempts } = createFailingWrite(cause, 2)
      await withFakeTimers(expect(retryOnConflict(attempt, UNTIMED_OPTIONS)).resolves.toBe('done'))
      expect(attempts.made).toBe(3)
    }
  })

  it('throws every other error at once', async () => {
    const cause = Object.assign(new Error('no such table'), { code: '42P01' })
    const { attempt, attempts } = createFailingWrite(cause, 1)
    await withFakeTimers(expect(retryOnConflict(attempt, UNTIMED_OPTIONS)).rejects.toBe(cause))
    expect(attempts.made).toBe(1)
  })

  it('throws the last error after ten attempts', async () => {
    const cause = new WriteConflict()
    const { attempt, attempts } = createFailingWrite(cause, 100)
    await withFakeTimers(expect(retryOnConflict(attempt, UNTIMED_OPTIONS)).rejects.toBe(cause))
    expect(attempts.made).toBe(10)
  })

  it('does not retry after its signal is aborted', async () => {
    const { attempt, attempts } = createFailingWrite(new WriteConflict(), 100)
    const options = { ...UNTIMED_OPTIONS, signal: AbortSignal.abort() }
    await withFakeTimers(
      expect(retryOnConflict(attempt, options)).rejects.toMatchObject({ reason: 'aborted' }),
    )
    expect(attempts.made).toBe(1)
  })

  it('ends its wait for the next attempt at the deadline', async () => {
    const { attempt } = createFailingWrite(new WriteConflict(), 100)
    const deadline = Date.now() + 20
    const endTime = retryOnConflict(attempt, { ...UNTIMED_OPTIONS, deadline }).catch(() => Date.now())
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await endTime).toBeLessThanOrEqual(deadline)
  })

  it('ends its wait for the next attempt when the signal aborts', async () => {
    const { attempt } = createFailingWrite(new WriteConflict(), 100)
    const controller = new AbortController()
    const abortTime = Date.now() + 20
    setTimeout(() => controller.abort(), 20)
    const options = { ...UNTIMED_OPTIONS, signal: controller.signal }
    const endTime = retryOnConflict(attempt, options).catch(() => Date.now())
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await endTime).toBeLessThanOrEqual(abortTime)
  })
})
