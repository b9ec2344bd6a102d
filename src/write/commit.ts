import { abortedError, conflictError, isGraphError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import { isNonArrayObject } from '../base/json.ts'
import type { Session } from '../base/session.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { BatchId } from '../store/conditional.ts'
import type { Store, StoreReader, StoreReadOptions, StoreWriteOptions } from '../store/contract.ts'
import type { StoreMutation } from '../store/mutations.ts'
import type { ParsedItem } from './mutation.ts'
import { createNewestReadOptions } from './newest-read.ts'
import { type IssueDetails, type RejectItem, validateBatch } from './validate-batch.ts'
import type { NodeTypes, WriteBatch } from './write-batch.ts'
import type { WriteSchema } from './write-schema.ts'

/**
 * The maximum number of nodes per read request. The conformance suite tests that a store supports this
 * number.
 */
const NODES_PER_READ = 500

/** Reads the types of all nodes of a batch, in as few concurrent read requests as possible. */
const readNodeTypes = async (
  store: StoreReader,
  items: Iterable<ParsedItem>,
  options: StoreReadOptions,
): Promise<NodeTypes> => {
  const types: NodeTypes = new Map()
  for (const { parsed } of items) {
    if (parsed instanceof ValidationIssue) continue
    if ('id' in parsed) types.set(parsed.id, undefined)
    else types.set(parsed.source, undefined).set(parsed.target, undefined)
  }
  const ids = [...types.keys()]
  const idChunks: NodeId[][] = []
  for (let start = 0; start < ids.length; start += NODES_PER_READ)
    idChunks.push(ids.slice(start, start + NODES_PER_READ))
  const results = await Promise.all(
    idChunks.map(nodes => store.read({ nodes, ranges: [], checks: [], tokens: [] }, options)),
  )
  for (const { nodes } of results) {
    for (const node of nodes) if (node !== undefined) types.set(node.id, node.type)
  }
  return types
}

/**
 * The result of a write. Pass `revision` as `minRevision` to a read that must see the write; `revision` is
 * undefined if every read sees the write.
 */
export type WriteResult = { readonly revision: string | undefined }

export type CommitOptions = {
  readonly signal: AbortSignal | undefined
  /** The id of the batch, if the caller or the store may send the batch again. */
  readonly batch?: BatchId | undefined
  /** Whether the caller may have sent the batch before. */
  readonly mayBeRepeated?: boolean | undefined
  /** The session of the write, as the store receives it. */
  readonly session?: Session | undefined
}

/**
 * Validates mutations against the schema and the existing nodes, and writes the valid ones to the store as
 * one batch.
 */
export type Commit = <TItem extends ParsedItem>(
  items: readonly TItem[],
  rejectItem: RejectItem<TItem>,
  options: CommitOptions,
) => Promise<WriteResult>

/**
 * Returns the index of the mutation that a store rejected, and the reason. A store rejects a validated
 * mutation if another writer has changed its nodes in the meantime. Returns undefined for any other error.
 */
const parseRejection = (error: unknown): (IssueDetails & { readonly index: number }) | undefined => {
  if (!isGraphError(error) || error.reason !== 'invalid_mutation') return undefined
  // The error of a store must contain the index. The other members are optional.
  const {
    index,
    path = '',
    expected = 'a mutation that the store accepts',
    received = error.message,
  } = error.data
  if (typeof index !== 'number') return undefined
  return { index, path: `${path}`, expected: `${expected}`, received: `${received}` }
}

/**
 * Returns the error of a store with the index that the caller knows. The store does not know mutations that
 * have no effect.
 */
const toCallerError = (error: unknown, toIndex: (storeIndex: number) => number): unknown => {
  if (!isGraphError(error) || error.reason !== 'conflict') return error
  const { index, path } = error.data
  if (typeof index !== 'number') return error
  const callerIndex = toIndex(index)
  // The error itself keeps its trace id.
  if (callerIndex === index) return error
  const found = isNonArrayObject(error.cause) ? error.cause.found : error.cause
  return conflictError(callerIndex, `${path}`, found)
}

const findIndex = <TItem>(items: readonly TItem[], wanted: TItem | undefined): number =>
  wanted === undefined ? -1 : items.indexOf(wanted)

/** The largest id, which is hardly ever used, so that nobody waits for its lock. */
const UNUSED_ID = '9223372036854775807'

/** A batch that is never valid. A store accepts it only if it knows its id, and then does nothing. */
const INVALID_BATCH: readonly StoreMutation[] = [
  { op: 'deleteNode', id: UNUSED_ID },
  { op: 'patchNode', id: UNUSED_ID, fields: {} },
]

const toWriteOptions = ({ signal, batch, session }: CommitOptions): StoreWriteOptions =>
  session === undefined ? { signal, batch } : { signal, batch, session }

/**
 * Handles the error of a batch that may have been written before: its first writing may be the reason for
 * which it is no longer valid. Returns the first result in this case, and otherwise throws the error.
 */
const findFirstResult = async (
  store: Store,
  options: CommitOptions,
  error: unknown,
): Promise<WriteResult> => {
  if (!options.mayBeRepeated || !isGraphError(error)) throw error
  try {
    return await store.write(INVALID_BATCH, toWriteOptions(options))
  } catch (secondError) {
    throw isGraphError(secondError) && secondError.reason === 'invalid_mutation' ? error : secondError
  }
}

/**
 * Creates the commit function. If the store rejects an item, the function writes the batch again without the
 * rejected items.
 */
export const createCommit =
  (schema: WriteSchema, store: Store): Commit =>
  async (items, rejectItem, options) => {
    const { signal } = options
    for (let remaining = items; ; ) {
      if (signal?.aborted) throw abortedError(signal.reason)
      if (remaining.length === 0 && options.batch === undefined) return { revision: undefined }
      const types = await readNodeTypes(store, remaining, createNewestReadOptions(signal, options.session))
      const batch: WriteBatch = { schema, types, mutations: [] }
      const rejectedItems = new Set<(typeof items)[number]>()
      const rejectAndDrop: typeof rejectItem = (item, issue) => {
        rejectItem(item, issue)
        rejectedItems.add(item)
      }
      let itemsByMutation: readonly (typeof items)[number][]
      try {
        itemsByMutation = validateBatch(batch, remaining, rejectAndDrop)
      } catch (error) {
        return await findFirstResult(store, options, error)
      }
      try {
        return await store.write(batch.mutations, toWriteOptions(options))
      } catch (error) {
        const rejection = parseRejection(error)
        const item = rejection && itemsByMutation[rejection.index]
        if (rejection === undefined || item === undefined)
          throw toCallerError(error, index => findIndex(remaining, itemsByMutation[index]))
        rejectAndDrop(item, rejection)
      }
      remaining = remaining.filter(item => !rejectedItems.has(item))
    }
  }
