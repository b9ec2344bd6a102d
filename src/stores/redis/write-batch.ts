import { GraphError } from '../../base/errors.ts'
import type { NodeId } from '../../base/ids.ts'
import type { StoreMutation } from '../../store/contract.ts'
import { collectNodeIds, foldBatch } from '../batch.ts'
import { type CommandSender, createCommand } from './command-sender.ts'
import { decodeNode, type RedisKeys } from './encoding.ts'
import { RedisBatch } from './redis-batch.ts'
import { RoundTrip } from './round-trip.ts'

/**
 * The existing nodes of a batch: the records of nodes that it puts or patches, and the ids of the other
 * nodes.
 */
type ExistingNodes = {
  readonly records: ReadonlyMap<NodeId, string>
  readonly otherExistingIds: ReadonlySet<NodeId>
}

const readExistingNodes = async (
  sender: CommandSender,
  keys: RedisKeys,
  mutations: readonly StoreMutation[],
): Promise<ExistingNodes> => {
  const roundTrip = new RoundTrip(sender)
  const writtenIds = new Set(
    mutations.flatMap(mutation =>
      mutation.op === 'putNode' ? mutation.node.id : mutation.op === 'patchNode' ? mutation.id : [],
    ),
  )
  const ids = [...writtenIds]
  const readRecords = roundTrip.enqueueTexts(ids.map(id => keys.node(id)))
  const otherEndIds = [...collectNodeIds(mutations)].filter(id => !writtenIds.has(id))
  const existenceReplies = roundTrip.enqueueEach(otherEndIds, id => createCommand('exists', keys.node(id)))
  await roundTrip.send()
  const texts = readRecords()
  return {
    records: new Map(
      ids.flatMap((id, index) => {
        const text = texts[index]
        return typeof text === 'string' ? [[id, text] as const] : []
      }),
    ),
    otherExistingIds: new Set(
      [...existenceReplies].flatMap(([id, reply]) => (Number(reply()) === 1 ? id : [])),
    ),
  }
}

/** The type of a node whose record has not been read. */
const UNKNOWN_TYPE = ''

/**
 * Creates a function that returns the types of nodes before a batch. A node that the batch deletes counts as
 * existing: an earlier attempt to write the same batch may have deleted it and then failed, and the rest of
 * the batch must still be valid. If the batch also puts the node, its type is that of the first put.
 */
const createTypeLookup = (
  { records, otherExistingIds }: ExistingNodes,
  mutations: readonly StoreMutation[],
) => {
  const deletedIds = new Set(mutations.flatMap(mutation => (mutation.op === 'deleteNode' ? mutation.id : [])))
  const putTypes = new Map<NodeId, string>()
  for (const mutation of mutations)
    if (mutation.op === 'putNode' && !putTypes.has(mutation.node.id))
      putTypes.set(mutation.node.id, mutation.node.type)
  return (id: NodeId): string | undefined => {
    const record = records.get(id)
    if (record !== undefined) return decodeNode(id, record).type
    if (otherExistingIds.has(id)) return UNKNOWN_TYPE
    return deletedIds.has(id) ? (putTypes.get(id) ?? UNKNOWN_TYPE) : undefined
  }
}

/**
 * Validates a batch against the existing nodes, and writes it.
 *
 * @throws GraphError `invalid_mutation` if the batch is invalid, before anything is written; `store_error` if
 * the write failed midway. Its `data.applied` lists the parts that were certainly written, and writing the
 * same batch again completes it.
 */
export const writeBatch = async (
  sender: CommandSender,
  keys: RedisKeys,
  mutations: readonly StoreMutation[],
): Promise<void> => {
  const existingNodes = await readExistingNodes(sender, keys, mutations)
  const effect = foldBatch(mutations, createTypeLookup(existingNodes, mutations))
  const batch = new RedisBatch(sender, keys)
  try {
    await batch.apply(effect, existingNodes.records)
  } catch (cause) {
    const message = '(#2) The store failed during a write; writing the same batch again completes it'
    throw new GraphError('store_error', message, { applied: batch.applied }, { cause })
  }
}
