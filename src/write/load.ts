import { describe } from '../base/describe.ts'
import { GraphError } from '../base/faults.ts'
import { assertKinds } from '../base/options.ts'
import { Mismatch } from '../schema/field-type.ts'
import type { Misfit, Refuse } from './check-batch.ts'
import type { Commit } from './commit.ts'
import type { LoadRecord } from './mutation.ts'
import { type LoadedRecord, RecordReader } from './record-reader.ts'

/** A piece of what is loaded: text or UTF-8 bytes of NDJSON, cut anywhere, or one record as an object. */
export type LoadChunk = string | Uint8Array | LoadRecord

/** What is loaded. A `ReadableStream`, a file's read stream and an array all are such sources. */
export type LoadSource = string | Uint8Array | Iterable<LoadChunk> | AsyncIterable<LoadChunk>

/** How far a load has come: what was written, mirrors not counted, and what was left out. */
export type LoadCounts = { readonly nodes: number; readonly edges: number; readonly skipped: number }

/** How to load. */
export type LoadOptions = {
  /** How many records are checked and written at once. Default 1,000. */
  readonly batch?: number | undefined
  /** Called after each batch. */
  readonly onProgress?: ((counts: LoadCounts) => void) | undefined
  /** Decides on each record that cannot be written. Without it, or where it says `stop`, the load ends with the fault. */
  readonly onFault?: ((fault: GraphError) => 'skip' | 'stop') | undefined
  /** Ends the load before the next batch. */
  readonly signal?: AbortSignal | undefined
}

const OPTIONS = { batch: 'any', onProgress: 'function', onFault: 'function', signal: 'any' } as const

const invalidRecord = ({ line, unit }: LoadedRecord, { path, expected, came }: Misfit): GraphError =>
  new GraphError(
    'invalid_mutation',
    `(#100) ${unit} ${line}: ${path === '' ? '' : `${path} `}must be ${expected}, came ${came}`,
    { line, path, expected, came },
  )

const isIterable = (source: unknown): source is Iterable<unknown> | AsyncIterable<unknown> =>
  typeof source === 'object' &&
  source !== null &&
  (Symbol.asyncIterator in source || Symbol.iterator in source)

const chunksOf = (source: unknown): Iterable<unknown> | AsyncIterable<unknown> => {
  // Both are iterables too, of characters and of numbers.
  if (typeof source === 'string' || source instanceof Uint8Array) return [source]
  if (isIterable(source)) return source
  throw new TypeError(
    `load: expected text, bytes or an (async) iterable of chunks or records, came ${describe(source)}`,
  )
}

const assertLoadOptions = (options: LoadOptions): void => {
  assertKinds('load', options, OPTIONS)
  const { batch } = options
  if (batch !== undefined && !(Number.isSafeInteger(batch) && batch > 0))
    throw new TypeError(`load: batch must be an integer above 0, came ${describe(batch)}`)
}

const isNode = ({ draft }: LoadedRecord): boolean => !(draft instanceof Mismatch) && draft.op === 'putNode'

const counted = (
  { nodes, edges, skipped }: LoadCounts,
  records: readonly LoadedRecord[],
  refused: ReadonlySet<LoadedRecord>,
): LoadCounts => {
  let newNodes = 0
  for (const record of records) if (isNode(record) && !refused.has(record)) newNodes++
  return {
    nodes: nodes + newNodes,
    edges: edges + records.length - refused.size - newNodes,
    skipped: skipped + refused.size,
  }
}

/** Checks and writes records batch by batch: memory holds one batch and one chunk, however long the source is. */
export const load = async (
  commit: Commit,
  source: LoadSource,
  options: LoadOptions = {},
): Promise<LoadCounts> => {
  assertLoadOptions(options)
  const { batch = 1000, onProgress, onFault, signal } = options
  const reader = new RecordReader()
  let counts: LoadCounts = { nodes: 0, edges: 0, skipped: 0 }
  let records: LoadedRecord[] = []

  const flush = async (): Promise<void> => {
    const refused = new Set<LoadedRecord>()
    const refuse: Refuse<LoadedRecord> = (record, misfit) => {
      const fault = invalidRecord(record, misfit)
      if (onFault?.(fault) !== 'skip') throw fault
      refused.add(record)
    }
    await commit(records, refuse, signal)
    counts = counted(counts, records, refused)
    records = []
    onProgress?.(counts)
  }

  for await (const chunk of chunksOf(source)) {
    for (const record of reader.read(chunk)) {
      if (records.push(record) >= batch) await flush()
    }
  }
  for (const record of reader.end()) records.push(record)
  if (records.length > 0) await flush()
  return counts
}
