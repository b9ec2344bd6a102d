import { describeValue } from '../base/describe.ts'
import { type GraphError, invalidRecordError } from '../base/errors.ts'
import { assertOptionKinds } from '../base/options.ts'
import type { TurnQueue } from '../base/turn-queue.ts'
import { usageError } from '../base/usage-error.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { Commit } from './commit.ts'
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
  /** The number of records that are validated and written together. Default 1,000. */
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

const OPTION_KINDS = { batch: 'any', onProgress: 'function', onError: 'function', signal: 'any' } as const

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

/**
 * Validates and writes records batch by batch. At most one batch and one chunk are in memory, regardless of
 * the length of the source. Other tasks of the process can run between two batches.
 */
export const load = async (
  commit: Commit,
  turnQueue: TurnQueue,
  source: UntypedLoadSource,
  options: LoadOptions = {},
): Promise<LoadCounts> => {
  assertLoadOptions(options)
  const { batch: batchSize = 1000, onProgress, onError, signal } = options
  const reader = new RecordReader()
  let counts: LoadCounts = { nodes: 0, edges: 0, skipped: 0 }
  let records: ParsedRecord[] = []

  const writeRecords = async (): Promise<void> => {
    const rejectedRecords = new Set<ParsedRecord>()
    const rejectItem: RejectItem<ParsedRecord> = (record, { path, expected, received }) => {
      const error = invalidRecordError(record, path, expected, received)
      if (onError?.(error) !== 'skip') throw error
      rejectedRecords.add(record)
    }
    await commit(records, rejectItem, signal)
    counts = addCounts(counts, records, rejectedRecords)
    records = []
    onProgress?.(counts)
    await turnQueue.waitForTurn()
  }

  for await (const chunk of toChunks(source)) {
    for (const record of reader.read(chunk)) {
      if (records.push(record) >= batchSize) await writeRecords()
    }
  }
  for (const record of reader.finish()) records.push(record)
  if (records.length > 0) await writeRecords()
  return counts
}
