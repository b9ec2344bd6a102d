import type { Awaitable } from '../../base/awaitable.ts'
import { usageError } from '../../base/usage-error.ts'
import type { Store } from '../../store/contract.ts'
import { EMPTY_REQUEST } from '../../store/requests.ts'
import { assertSettled, HubWriter } from './hub-writer.ts'
import type { FailureSuite, StoreInUse } from './store-in-use.ts'
import { recover, settleWithin, sleep, waitUntil } from './timing.ts'

const WRITER_COUNT = 3
/** The number of batches that each writer writes before a failure. */
const BATCHES_BEFORE_FAILURE = 2
/** The time limit of reads during a failure, in milliseconds. */
const READ_DEADLINE_MS = 500
/** The longest delay between a batch and the failure, in milliseconds. A prime number, to vary the delays. */
const MAX_DELAY_MS = 11

type Failure = { readonly begin: () => Awaitable<void>; readonly end: () => Awaitable<void> }

/** Waits until a call ends, and returns the error if it fails. */
const settleCall = (call: Promise<unknown>, timeoutMs: number, label: string): Promise<unknown> =>
  settleWithin(
    call.then(
      () => undefined,
      (error: unknown) => error ?? new Error(`${label} failed`),
    ),
    timeoutMs,
    label,
  )

const readWithDeadline = async (store: Store): Promise<unknown> => {
  const options = { signal: undefined, deadline: Date.now() + READ_DEADLINE_MS, minRevision: 'newest' }
  return store.read({ ...EMPTY_REQUEST, nodes: ['1'] }, options)
}

/**
 * Causes a failure while all writers write, and waits until all calls have ended that were running when the
 * failure began, or started during the failure.
 */
const failDuringWrites = async (
  store: Store,
  writers: readonly HubWriter[],
  { begin, end }: Failure,
  { round, timeoutMs }: { readonly round: number; readonly timeoutMs: number },
): Promise<void> => {
  let state: 'before' | 'beginning' | 'during' = 'before'
  const goals = new Map(writers.map(writer => [writer, writer.acknowledgedCount + BATCHES_BEFORE_FAILURE]))
  const succeeds = async (writer: HubWriter): Promise<boolean> => {
    const error = await settleCall(writer.writeNext(store), timeoutMs, 'a write around the failure')
    if (error !== undefined && state === 'before') throw error
    return error === undefined
  }
  /** Ends with a write that starts during the failure, or with a failed write, which is not repeated yet. */
  const writeUntilFailure = async (writer: HubWriter): Promise<void> => {
    // A synchronous store would never let other events run.
    for (let isLast = false; !isLast; await sleep(0)) {
      isLast = state === 'during'
      if (!(await succeeds(writer))) return
    }
  }
  const running = Promise.all(writers.map(writeUntilFailure))
  const hasReachedGoals = () => writers.every(writer => writer.acknowledgedCount >= (goals.get(writer) ?? 0))
  await Promise.race([running, waitUntil(hasReachedGoals, timeoutMs, 'writes that succeed before a failure')])
  await sleep((round * 3) % MAX_DELAY_MS)
  state = 'beginning'
  await begin()
  state = 'during'
  await settleCall(readWithDeadline(store), timeoutMs, 'a read during the failure')
  await running
  await end()
}

/** Asserts the laws after a failure: first with the uncertain batches, then after these are written again. */
const assertRecovered = async (
  store: Store,
  observer: Store,
  writers: readonly HubWriter[],
  timeoutMs: number,
): Promise<void> => {
  for (const writer of writers) await assertSettled(writer, observer, timeoutMs)
  await Promise.all(
    writers.map(writer => recover(() => writer.writeNext(store), timeoutMs, 'the same batch, written again')),
  )
  for (const writer of writers) {
    await writer.assertWritten(observer)
    await recover(() => writer.assertWritten(store), timeoutMs, 'a read after the failure')
  }
}

/** @throws TypeError if there is no other store to read from. */
const assertHasOther = ({ connect }: StoreInUse): void => {
  const expected = 'a function if "cut" or "stall" is given'
  if (connect === undefined) throw usageError('describeStoreFailures', 'connect', expected, 'undefined')
}

/** Declares the test of one failure of connections, which happens several times during writes. */
export const describeConnectionFailure = <TStoreInUse extends StoreInUse>(
  { rounds, timeoutMs, test }: FailureSuite<TStoreInUse>,
  createFailure: (storeInUse: TStoreInUse) => Failure,
): void => {
  const law =
    'every call ends, acknowledged batches are there, no batch is half written, the same batch succeeds within 5 s, and an increment that is sent again by its id is applied once'
  test(law, async ({ storeInUse, store, observer }) => {
    assertHasOther(storeInUse)
    const writers = Array.from({ length: WRITER_COUNT }, (_, index) => new HubWriter(index + 1))
    const failure = createFailure(storeInUse)
    for (let round = 1; round <= rounds; round++) {
      await failDuringWrites(store, writers, failure, { round, timeoutMs })
      await assertRecovered(store, observer, writers, timeoutMs)
    }
  })
}
