import { GraphError } from '../../base/faults.ts'
import type { NodeId } from '../../base/ids.ts'
import type { Mutation } from '../../store/contract.ts'
import { foldBatch, idsOf } from '../batch/fold-batch.ts'
import { BatchWrite } from './batch-write.ts'
import { command } from './command.ts'
import type { Keys } from './keys.ts'
import { decodeNode } from './records.ts'
import { Round } from './round.ts'
import type { Sender } from './sender.ts'

/** What is there of the nodes that a batch speaks of: the records of those it puts or patches. */
type NodesBefore = {
  readonly records: ReadonlyMap<NodeId, string>
  readonly others: ReadonlySet<NodeId>
}

const readBefore = async (
  sender: Sender,
  keys: Keys,
  mutations: readonly Mutation[],
): Promise<NodesBefore> => {
  const round = new Round(sender)
  const written = new Set(
    mutations.flatMap(mutation =>
      mutation.op === 'putNode' ? mutation.node.id : mutation.op === 'patchNode' ? mutation.id : [],
    ),
  )
  const ids = [...written]
  const readRecords = round.askTexts(ids.map(id => keys.node(id)))
  const ends = [...idsOf(mutations)].filter(id => !written.has(id))
  const others = round.askEach(ends, id => command('exists', keys.node(id)))
  await round.send()
  const texts = readRecords()
  return {
    records: new Map(
      ids.flatMap((id, index) => {
        const text = texts[index]
        return typeof text === 'string' ? [[id, text] as const] : []
      }),
    ),
    others: new Set([...others].flatMap(([id, reply]) => (Number(reply()) === 1 ? id : []))),
  }
}

/** Stands for the type of a node of which only that it is there was asked. */
const SOME_TYPE = ''

/**
 * Tells the types of nodes before a batch. A node that the batch deletes may have been deleted by the same batch, which
 * failed later on and was sent again; it counts as there, so that the rest of the batch can be completed. Where the batch
 * puts it as well, it counts as of the type that it is given first.
 */
const typesOf = ({ records, others }: NodesBefore, mutations: readonly Mutation[]) => {
  const deleted = new Set(mutations.flatMap(mutation => (mutation.op === 'deleteNode' ? mutation.id : [])))
  const put = new Map<NodeId, string>()
  for (const mutation of mutations)
    if (mutation.op === 'putNode' && !put.has(mutation.node.id)) put.set(mutation.node.id, mutation.node.type)
  return (id: NodeId): string | undefined => {
    const record = records.get(id)
    if (record !== undefined) return decodeNode(id, record).type
    if (others.has(id)) return SOME_TYPE
    return deleted.has(id) ? (put.get(id) ?? SOME_TYPE) : undefined
  }
}

/**
 * Checks a batch against the nodes there are, and writes it.
 *
 * @throws GraphError `invalid_mutation` where the check refuses it, and nothing is written; `store_fault` where it failed
 * midway: its `data.applied` names what is known to be written, and the same batch sent again completes it.
 */
export const writeBatch = async (
  sender: Sender,
  keys: Keys,
  mutations: readonly Mutation[],
): Promise<void> => {
  const before = await readBefore(sender, keys, mutations)
  const effect = foldBatch(mutations, typesOf(before, mutations))
  const write = new BatchWrite(sender, keys)
  try {
    await write.apply(effect, before.records)
  } catch (cause) {
    const message = '(#2) The store failed midway through a write; the same batch sent again completes it'
    throw new GraphError('store_fault', message, { applied: write.applied }, { cause })
  }
}
