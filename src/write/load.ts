import { describeValue } from '../base/describe.ts'
import { abortedError, type GraphError, invalidRecordError } from '../base/errors.ts'
import type { IdKind } from '../base/ids.ts'
import { assertOptionKinds } from '../base/options.ts'
import type { TurnQueue } from '../base/turn-queue.ts'
import { usageError } from '../base/usage-error.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { Commit } from './commit.ts'
import { LoadBatch } from './load-batch.ts'
import type { UntypedLoadRecord } from './mutation.ts'
import { type ParsedRecord, RecordReader } from './record-reader.ts'
import type { RejectItem } from './validate-batch.ts'

/** A chunk of a source: text or UTF-8 bytes of NDJSON, split anywhere, or one record as an object. */
export type LoadChunk = string | Uint8Array | UntypedLoadRecord

/** The source of a load, such as a `ReadableStream`, a file's read stream or an array. */
export type UntypedLoadSource = string | Uint8Array | Iterable<LoadChunk> | AsyncIterable<LoadChunk>

/**
 * The progress of a load: the numbers of written and skipped records. The mirror of an edge is written with
 * the edge, but is not counted.
 */
export type LoadCounts = { readonly nodes: number; readonly edges: number; readonly skipped: number }

/** Options of a load. */
export type LoadOptions = {
  /**
   * The number of records that are validated and written together. By default up to 1,000: fewer if the
   * records are large, or if writing them blocks the process for more than a moment.
   */
  readonly batch?: number | undefined
  /** Called after each batch. */
  readonly onProgress?: ((counts: LoadCounts) => void) | undefined
  /**
   * Called for each record that cannot be written. If it returns `skip`, the load continues without the
   * record. If it returns `stop`, or if there is no `onError`, the load fails with the error.
   */
  readonly onError?: ((error: GraphError) => 'skip' | 'stop') | undefined
  /** Aborts the load before the next batch. */
  readonly signal?: AbortSignal | undefined
}

const OPTION_KINDS = { batch: 'any', onProgress: 'function', onError: 'function', signal: 'signal' } as const

const isIterable = (source: unknown): source is Iterable<unknown> | AsyncIterable<unknown> =>
  typeof source === 'object' &&
  source !== null &&
  (Symbol.asyncIterator in source || Symbol.iterator in source)

const toChunks = (source: unknown): Iterable<unknown> | AsyncIterable<unknown> => {
  // Strings and byte arrays are iterable too, but their items are characters and numbers.
  if (typeof source === 'string' || source instanceof Uint8Array) return [source]
  if (isIterable(source)) return source
  const expected = 'a string, bytes, or an (async) iterable of chunks or records'
  throw usageError('load', 'source', expected, describeValue(source))
}

const assertLoadOptions = (options: LoadOptions): void => {
  assertOptionKinds('load', options, OPTION_KINDS)
  const { batch: batchSize } = options
  if (batchSize !== undefined && !(Number.isSafeInteger(batchSize) && batchSize > 0))
    throw usageError('load', 'batch', 'an integer of at least 1', describeValue(batchSize))
}

const isPutNode = ({ parsed }: ParsedRecord): boolean =>
  !(parsed instanceof ValidationIssue) && parsed.op === 'putNode'

const addCounts = (
  { nodes, edges, skipped }: LoadCounts,
  records: readonly ParsedRecord[],
  rejectedRecords: ReadonlySet<ParsedRecord>,
): LoadCounts => {
  let addedNodes = 0
  for (const record of records) if (isPutNode(record) && !rejectedRecords.has(record)) addedNodes++
  return {
    nodes: nodes + addedNodes,
    edges: edges + records.length - rejectedRecords.size - addedNodes,
    skipped: skipped + rejectedRecords.size,
  }
}

/** The number of chunks and lines that are read without a pause. Empty chunks and blank lines fill no batch. */
const STEPS_PER_PAUSE = 10_000

/** Yields the records of a source in batches. */
async function* readBatches(
  kind: IdKind,
  source: UntypedLoadSource,
  batch: LoadBatch,
  pause: () => Promise<void>,
): AsyncGenerator<readonly ParsedRecord[]> {
  const reader = new RecordReader(kind)
  let steps = 0
  for await (const chunk of toChunks(source)) {
    if (++steps % STEPS_PER_PAUSE === 0) await pause()
    for (const record of reader.read(chunk)) {
      if (++steps % STEPS_PER_PAUSE === 0) await pause()
      if (record !== undefined && batch.add(record)) yield batch.take()
    }
  }
  for (const record of reader.finish()) if (record !== undefined) batch.add(record)
  const lastRecords = batch.take()
  if (lastRecords.length > 0) yield lastRecords
}

/**
 * Runs a write, and lets other tasks of the process run. Returns the number of milliseconds for which the
 * write blocked the process: 0 if other tasks could run before its end.
 */
const runInTurn = async (turnQueue: TurnQueue, write: () => Promise<void>): Promise<number> => {
  const startTime = performance.now()
  let hasPaused = false
  const turn = turnQueue.waitForTurn().then(() => {
    hasPaused = true
  })
  await write()
  if (hasPaused) return 0
  const holdMs = performance.now() - startTime
  await turn
  return holdMs
}

/** The parts of a writer that a load uses. */
type LoadDependencies = {
  /** The kind of the ids of the graph. */
  readonly kind: IdKind
  readonly commit: Commit
  readonly turnQueue: TurnQueue
}

/**
 * Validates and writes records batch by batch. At most one batch and one chunk are in memory, regardless of
 * the length of the source. Other tasks of the process can run between two batches.
 */
export const load = async (
  { kind, commit, turnQueue }: LoadDependencies,
  source: UntypedLoadSource,
  options: LoadOptions = {},
): Promise<LoadCounts> => {
  assertLoadOptions(options)
  const { onProgress, onError, signal } = options
  const batch = new LoadBatch(options.batch)
  let counts: LoadCounts = { nodes: 0, edges: 0, skipped: 0 }

  const writeRecords = async (records: readonly ParsedRecord[]): Promise<void> => {
    const rejectedRecords = new Set<ParsedRecord>()
    const rejectItem: RejectItem<ParsedRecord> = (record, { path, expected, received }) => {
      const error = invalidRecordError(record, path, expected, received)
      if (onError?.(error) !== 'skip') throw error
      rejectedRecords.add(record)
    }
    await commit(records, rejectItem, { signal })
    counts = addCounts(counts, records, rejectedRecords)
    onProgress?.(counts)
  }
  const pause = async (): Promise<void> => {
    await turnQueue.waitForTurn()
    if (signal?.aborted) throw abortedError(signal.reason)
  }

  for await (const records of readBatches(kind, source, batch, pause))
    batch.reportHold(await runInTurn(turnQueue, () => writeRecords(records)))
  return counts
}
