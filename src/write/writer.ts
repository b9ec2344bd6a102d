import { describeValue } from '../base/describe.ts'
import { invalidMutationError } from '../base/errors.ts'
import { assertOptionKinds } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import type { TurnQueue } from '../base/turn-queue.ts'
import { usageError } from '../base/usage-error.ts'
import type { Registry } from '../schema/registry.ts'
import { assertWritesData } from '../store/assert-writes.ts'
import type { Store } from '../store/contract.ts'
import { parseWriteSession } from '../store/store-session.ts'
import { createBatchId } from './batch-id.ts'
import { type Commit, createCommit, type WriteResult } from './commit.ts'
import { deepCopy } from './input-values.ts'
import { type LoadCounts, type LoadOptions, load, type UntypedLoadSource } from './load.ts'
import { parseMutation, tryParse, type UntypedMutation } from './mutation.ts'
import type { RejectItem } from './validate-batch.ts'
import { createWriteSchema } from './write-schema.ts'

const OPTION_KINDS = { signal: 'signal', id: 'any', keepMs: 'any', session: 'any' } as const

/** An id, and the time for which the store remembers it; a time alone would have no effect. */
type BatchIdOptions =
  | {
      /**
       * The id of the batch: a string of 1 to 200 characters (UTF-16 code units) that no other batch has. A
       * batch that is sent again with its id is written only once.
       */
      readonly id: string
      /**
       * The time for which the store remembers the id, in milliseconds. From 60,000, a minute, to
       * 31,536,000,000, which is 365 days. Default 86,400,000, which is 24 hours.
       */
      readonly keepMs?: number | undefined
    }
  | {
      readonly id?: string | undefined
      /** Needs an `id`. */
      readonly keepMs?: undefined
    }

/** Options of a write. */
export type WriteOptions = {
  /** Ends the wait for the write. A store that has already begun to commit may still write the batch. */
  readonly signal?: AbortSignal | undefined
  /**
   * The session whose data is written, in a store that reads by session: it is passed on to the store. It gives
   * no rights and takes none. Other stores do not receive it.
   */
  readonly session?: Session | undefined
} & BatchIdOptions

/** The writing part of a graph. It validates all data against the schema. */
export type Writer = {
  /**
   * Validates mutations in order, each after the effects of the previous ones. Writes all of them as one
   * batch, or none.
   *
   * @throws GraphError `invalid_mutation` for the first invalid mutation, with its 0-based `index`, the
   * `path` in the mutation, and the `expected` and `received` values; `conflict` if a condition does not hold,
   * or if another batch has the same id; TypeError if `mutations` is not an array, for a read-only store, for a
   * `session` of another graph, and for a condition, an increment or an id if the store does not support them.
   */
  write(mutations: readonly UntypedMutation[], options?: WriteOptions): Promise<WriteResult>
  /**
   * Loads records in bounded memory: from NDJSON text with one `{"node":…}` or `{"edge":…}` per line, or from
   * an (async) iterable of such objects. The nodes of an edge must come before the edge, or exist already.
   * Loading the same records again changes nothing.
   *
   * @throws GraphError `invalid_mutation` for the first invalid record, with its 1-based `line`, unless
   * `onError` skips the record. The batch of this record is not written, and earlier batches stay written.
   * `aborted` if the signal aborts. TypeError for an unknown option, a read-only store, or a source that
   * cannot be iterated.
   */
  load(source: UntypedLoadSource, options?: LoadOptions): Promise<LoadCounts>
}

/** The dependencies of a writer. */
export type WriterDependencies = {
  readonly registry: Registry
  readonly store: Store
  /**
   * Returns the current time in milliseconds since the epoch: the time of edges that are written without a
   * time.
   */
  readonly now: () => number
  readonly turnQueue: TurnQueue
  /** Whether this graph created a session. Other objects are not accepted. */
  readonly isSession: (value: object) => value is Session
}

/** Writes like a {@link Writer}. The digest of a batch with an id is that of the mutations, unless it is given. */
export type DigestedWrite = (
  mutations: unknown,
  options?: WriteOptions,
  digest?: string,
) => Promise<WriteResult>

const rejectItem: RejectItem<{ readonly index: number }> = ({ index }, { path, expected, received }) => {
  throw invalidMutationError(index, path, expected, received)
}

const createGraphCommit = ({ registry, store }: WriterDependencies): Commit =>
  createCommit(createWriteSchema(registry.schema), store)

export const createDigestedWrite =
  (dependencies: WriterDependencies, commit = createGraphCommit(dependencies)): DigestedWrite =>
  async (mutations, options = {}, digest = undefined) => {
    const { registry, store, now } = dependencies
    assertWritesData('write', store)
    if (!Array.isArray(mutations)) {
      throw usageError('write', 'mutations', 'an array of mutations', describeValue(mutations))
    }
    assertOptionKinds('write', options, OPTION_KINDS)
    const session = parseWriteSession('write', dependencies, options.session)
    const defaultTime = now()
    // `map` would skip the holes of a sparse array.
    const items = Array.from(mutations, (mutation, index) => ({
      index,
      parsed: tryParse(() => parseMutation(registry.ids.kind, deepCopy(mutation), defaultTime)),
    }))
    const batch = createBatchId(store, mutations, items, options, digest)
    const mayBeRepeated = options.id !== undefined
    return commit(items, rejectItem, { signal: options.signal, batch, mayBeRepeated, session })
  }

export const createWriter = (dependencies: WriterDependencies): Writer => {
  const { registry, store, turnQueue } = dependencies
  const commit = createGraphCommit(dependencies)
  const write = createDigestedWrite(dependencies, commit)
  return Object.freeze({
    write: (mutations: readonly UntypedMutation[], options?: WriteOptions) => write(mutations, options),
    load: async (source: UntypedLoadSource, options?: LoadOptions) => {
      assertWritesData('load', store)
      const session = parseWriteSession('load', dependencies, options?.session)
      return load({ kind: registry.ids.kind, commit, turnQueue, session }, source, options)
    },
  })
}
