import type { Awaitable } from '../../base/awaitable.ts'
import { describeValue } from '../../base/describe.ts'
import type { Session } from '../../base/session.ts'
import { usageError } from '../../base/usage-error.ts'
import type { Store } from '../../store/contract.ts'
import { assertEqual, fail } from '../assertions.ts'
import { withDigitsIds } from '../renaming-store.ts'
import { withSession } from '../with-session.ts'
import { assertSettled, HubWriter, writeHubBatch } from './hub-writer.ts'
import type { FailureSuite, StoreInUse, WriterProcess } from './store-in-use.ts'
import { recover, settleWithin, sleep } from './timing.ts'

/** The time until a process has started and written its first batches, in milliseconds. */
const START_TIMEOUT_MS = 60_000
const BATCHES_BEFORE_KILL = 3
/** The longest delay between a batch and the kill, in milliseconds. A prime number, to vary the delays. */
const MAX_DELAY_MS = 13

type WriterTask = { readonly writer: number; readonly session?: Session | undefined }

const parseTask = (task: string): WriterTask => {
  try {
    // A store receives a deeply frozen session.
    return JSON.parse(task, (_, value: unknown) => Object.freeze(value))
  } catch {
    throw usageError('writeUntilKilled', 'task', 'the string that startWriter received', describeValue(task))
  }
}

/**
 * Writes one batch after another to an open store, and reports the number of each batch after it was written.
 * Call this function in the process that `startWriter` of `describeStoreFailures` starts. `task` is the text
 * that `startWriter` received. `report` must write the line to the standard output.
 *
 * @throws TypeError for another task; the error of the first batch that cannot be written.
 *
 * @example
 * ```ts
 * import { createModelStore, writeUntilKilled } from 'kithgraph/testing'
 *
 * const lines: string[] = []
 * const report = (line: string) => {
 *   lines.push(line)
 *   if (lines.length === 2) throw new Error('killed')
 * }
 * await writeUntilKilled(createModelStore(), '{"writer":1}', report).catch(() => undefined)
 * console.log(lines) // [ '1\n', '2\n' ]
 * ```
 */
export const writeUntilKilled = async (
  store: Store,
  task: string,
  report: (line: string) => Awaitable<void>,
): Promise<never> => {
  const { writer, session } = parseTask(task)
  const digitsStore = withSession(withDigitsIds(store), session)
  for (let batch = 1; ; batch++) {
    await writeHubBatch(digitsStore, writer, batch)
    await report(`${batch}\n`)
    // A synchronous store would never let the process handle other events.
    await sleep(0)
  }
}

/** Acknowledges each batch that a process reports, until its output ends. Kills it after some batches. */
const acknowledgeUntilKilled = async (
  writer: HubWriter,
  { output, kill }: WriterProcess,
  delayMs: number,
): Promise<void> => {
  const goal = writer.acknowledgedCount + BATCHES_BEFORE_KILL
  const decoder = new TextDecoder()
  let killed: Promise<void> | undefined
  let text = ''
  for await (const chunk of output) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const lines = text.split('\n')
    // A line without a line break is not complete.
    text = lines.pop() ?? ''
    for (const line of lines) {
      writer.acknowledge()
      assertEqual(line, `${writer.acknowledgedCount}`, 'the batch that the process reported')
    }
    if (writer.acknowledgedCount >= goal) killed ??= sleep(delayMs).then(() => kill())
  }
  if (killed === undefined) return fail('the process ended before it was killed')
  await killed
  writer.markNextUncertain()
}

/** Declares the test of a process that is killed while it writes. */
export const describeKilledWriters = <TStoreInUse extends StoreInUse>(
  { rounds, timeoutMs, session, test }: FailureSuite<TStoreInUse>,
  startWriter: (storeInUse: TStoreInUse, task: string) => Promise<WriterProcess>,
): void => {
  const law =
    'acknowledged batches are there, no batch is half written, another writer can write the same batch again, and an increment that is sent again by its id is applied once'
  test(law, async ({ storeInUse, store }) => {
    const writers: HubWriter[] = []
    for (let round = 1; round <= rounds; round++) {
      const writer = new HubWriter(round)
      writers.push(writer)
      const task: WriterTask = { writer: round, session }
      const writerProcess = await startWriter(storeInUse, JSON.stringify(task))
      try {
        const ended = acknowledgeUntilKilled(writer, writerProcess, (round * 5) % MAX_DELAY_MS)
        await settleWithin(ended, START_TIMEOUT_MS, 'the writer process')
      } finally {
        await writerProcess.kill()
      }
      await assertSettled(writer, store, timeoutMs)
      await recover(() => writer.writeNext(store), timeoutMs, 'the same batch, written again')
      await writer.assertWritten(store)
    }
    for (const writer of writers) await writer.assertWritten(store)
  })
}
