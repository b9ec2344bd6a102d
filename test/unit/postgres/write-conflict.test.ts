import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PATIENT } from '../../../src/stores/postgres/database.ts'
import { retryConflicts, WriteConflict } from '../../../src/stores/postgres/write-conflict.ts'

/** Fails as often as it is told to, and counts. */
const failing = (cause: unknown, times: number) => {
  const attempts = { made: 0 }
  const attempt = async (): Promise<string> => {
    if (attempts.made++ < times) throw cause
    return 'done'
  }
  return { attempt, attempts }
}

/** Lets no one wait for timers. */
const hurried = (assertion: Promise<void>): Promise<unknown> =>
  Promise.all([assertion, vi.runAllTimersAsync()])

describe('retryConflicts', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('tries again after a serialization failure, a deadlock and a conflict of its own', async () => {
    for (const cause of [{ code: '40001' }, { code: '40P01' }, new WriteConflict()]) {
      const { attempt, attempts } = failing(cause, 2)
      await hurried(expect(retryConflicts(attempt, PATIENT)).resolves.toBe('done'))
      expect(attempts.made).toBe(3)
    }
  })

  it('throws what else there is at once', async () => {
    const cause = Object.assign(new Error('no such table'), { code: '42P01' })
    const { attempt, attempts } = failing(cause, 1)
    await hurried(expect(retryConflicts(attempt, PATIENT)).rejects.toBe(cause))
    expect(attempts.made).toBe(1)
  })

  it('gives up after ten attempts, with what the last one met', async () => {
    const cause = new WriteConflict()
    const { attempt, attempts } = failing(cause, 100)
    await hurried(expect(retryConflicts(attempt, PATIENT)).rejects.toBe(cause))
    expect(attempts.made).toBe(10)
  })

  it('does not try again for a signal that was aborted', async () => {
    const { attempt, attempts } = failing(new WriteConflict(), 100)
    const options = { ...PATIENT, signal: AbortSignal.abort() }
    await hurried(
      expect(retryConflicts(attempt, options)).rejects.toMatchObject({ data: { reason: 'aborted' } }),
    )
    expect(attempts.made).toBe(1)
  })
})
