import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { NodeRecord } from '../../store/contract.ts'
import { type BatchEffect, mergeFields } from '../batch.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand, createScriptCommand, parseListReply, type ScriptCommand } from './commands.ts'
import {
  decodeNode,
  encodeNode,
  encodeNodeStart,
  encodeTypePrefix,
  GENERATION_BYTES,
  type Generation,
  parseGeneration,
  parsePurge,
  type RedisKeys,
  toPurgeText,
} from './encoding.ts'
import { type DeletedNode, purgeNode } from './node-purge.ts'
import { DELETE_NODE_SCRIPT, PUT_NODE_SCRIPT, REPLACE_NODE_SCRIPT } from './node-scripts.ts'
import { runSteps, type StepSender } from './write-steps.ts'

type NodePatch = { readonly id: NodeId; readonly fields: JsonObject }

/** The ids of nodes that a write has deleted, put or patched. */
export type WrittenNodes = { readonly deletedNodes: NodeId[]; readonly nodes: NodeId[] }

/** A generation that a write has deleted, and whether the write has also put a new one. */
export type FinishedDeletion = DeletedNode & { readonly isReplaced: boolean }

/** The reply to the script that puts a node, or to the one that deletes it. */
const parseNodeReply = (id: NodeId, reply: unknown) => {
  const [status, generation, purges = []] = parseListReply(reply)
  const deletedNodes = parseListReply(purges).map(text => ({ id, generation: parsePurge(String(text)) }))
  return { status: String(status), generation: String(generation ?? ''), deletedNodes }
}

/** Returns the text of a record after a patch. */
export const patchRecord = (id: NodeId, oldRecord: string, fields: JsonObject): string => {
  const record = decodeNode(id, oldRecord)
  return encodeNode({ ...record, fields: mergeFields(record.fields, fields) }, parseGeneration(oldRecord))
}

/** Reads the names of the lists of nodes and the ends of their records. */
const readNodeStates = async (sender: StepSender, keys: RedisKeys, ids: readonly NodeId[]) => {
  const replies = await sender.send(
    ids.flatMap(id => [
      createCommand('smembers', keys.listNames(id)),
      createCommand('getrange', keys.node(id), `${-GENERATION_BYTES}`, '-1'),
    ]),
  )
  return ids.map((id, index) => {
    const recordEnd = String(replies[2 * index + 1])
    const names = parseListReply(replies[2 * index]).map(String)
    return { node: { id, generation: parseGeneration(recordEnd) }, names, exists: recordEnd !== '' }
  })
}

/** Creates the command that deletes a node, or replaces it by a record without an end. */
export const createDeleteCommand = (
  keys: RedisKeys,
  { id, generation }: DeletedNode,
  names: readonly string[],
  newRecordStart: string,
): ScriptCommand =>
  createScriptCommand(
    DELETE_NODE_SCRIPT,
    [
      keys.node(id),
      keys.lastGeneration(id),
      keys.pendingPurges(id),
      keys.listNames(id),
      keys.reverseEntries(id),
      keys.numbers(id),
      keys.deletedNumbers(id),
      keys.deletedListNames(id, generation),
      keys.deletedReverseEntries(id, generation),
      ...names.flatMap(name => [
        keys.list(id, name),
        keys.deletedList(id, generation, name),
        keys.edgeData(id, name),
      ]),
    ],
    [generation, toPurgeText(generation), newRecordStart, ...names],
  )

/**
 * Deletes the edges of a deleted generation again, if the deletion was lost in a failover. Its edges were
 * already removed from other nodes, so they must not appear again. If the deletion was part of a replacement,
 * which was lost too, the old record remains, as a new generation.
 */
export const deleteAgain = async (
  sender: CommandSender,
  keys: RedisKeys,
  { id, generation, isReplaced }: FinishedDeletion,
): Promise<void> => {
  const [state] = await readNodeStates(sender, keys, [id])
  if (state === undefined || !state.exists || state.node.generation !== generation) return
  const [record] = isReplaced ? await sender.send([createCommand('get', keys.node(id))]) : []
  const recordStart = typeof record === 'string' ? encodeNodeStart(decodeNode(id, record)) : ''
  const [reply] = await sender.send([createDeleteCommand(keys, state.node, state.names, recordStart)])
  const { status, deletedNodes } = parseNodeReply(id, reply)
  if (status === 'changed') return deleteAgain(sender, keys, { id, generation, isReplaced })
  for (const node of deletedNodes) await purgeNode(sender, keys, node)
}

/** Writes the nodes of a batch, and keeps the generations of all its nodes. */
export class NodeWriter {
  /** The generations of the existing nodes, before and then after the write. */
  readonly generations: Map<NodeId, Generation>
  readonly finishedDeletions: FinishedDeletion[] = []
  /** Deleted generations whose purges another process has left unfinished. */
  readonly unfinishedPurges: DeletedNode[] = []
  readonly #sender: StepSender
  readonly #keys: RedisKeys
  readonly #written: WrittenNodes

  constructor(
    sender: StepSender,
    keys: RedisKeys,
    written: WrittenNodes,
    generations: Map<NodeId, Generation>,
  ) {
    this.#sender = sender
    this.#keys = keys
    this.#written = written
    this.generations = generations
  }

  async write(effect: BatchEffect, records: ReadonlyMap<NodeId, string>): Promise<void> {
    const putsById = new Map(effect.nodePuts.map(node => [node.id, node]))
    await this.#deleteNodes(effect.nodeDeletions, putsById)
    await this.#putNodes([...putsById.values()])
    await this.#patchNodes(effect.nodePatches, records)
  }

  /**
   * Deletes nodes and purges their edges. A node that the batch also puts is replaced in one step, so that it
   * always exists, and is removed from `putsById`.
   */
  async #deleteNodes(ids: readonly NodeId[], putsById: Map<NodeId, NodeRecord>): Promise<void> {
    if (ids.length === 0) return
    const states = await readNodeStates(this.#sender, this.#keys, ids)
    const steps = states.map(({ node, names }) => {
      const newNode = putsById.get(node.id)
      const newRecordStart = newNode === undefined ? '' : encodeNodeStart(newNode)
      return { id: node.id, command: createDeleteCommand(this.#keys, node, names, newRecordStart) }
    })
    const replies = (await runSteps(this.#sender, steps)).map((reply, index) =>
      parseNodeReply(ids[index] ?? '', reply),
    )
    for (const [index, { status, generation }] of replies.entries()) {
      const id = ids[index] ?? ''
      this.generations.delete(id)
      if (status !== 'done') continue
      const oldGeneration = states[index]?.node.generation ?? ''
      this.finishedDeletions.push({ id, generation: oldGeneration, isReplaced: putsById.has(id) })
      if (!putsById.delete(id)) continue
      this.generations.set(id, generation)
      this.#written.nodes.push(id)
    }
    const deletedNodes = replies.flatMap(reply => reply.deletedNodes)
    await Promise.all(deletedNodes.map(node => purgeNode(this.#sender, this.#keys, node)))
    for (const [index, { status }] of replies.entries())
      if (status !== 'changed') this.#written.deletedNodes.push(ids[index] ?? '')
    await this.#deleteNodes(
      ids.filter((_, index) => replies[index]?.status === 'changed'),
      putsById,
    )
  }

  /**
   * Puts nodes. If another writer has put a node of another type in the meantime, that writer's node remains,
   * as if it had been put later.
   */
  async #putNodes(nodes: readonly NodeRecord[]): Promise<void> {
    const steps = nodes.map(node => ({
      id: node.id,
      command: createScriptCommand(
        PUT_NODE_SCRIPT,
        [this.#keys.node(node.id), this.#keys.lastGeneration(node.id), this.#keys.pendingPurges(node.id)],
        [encodeNodeStart(node), encodeTypePrefix(node.type)],
      ),
    }))
    const replies = await runSteps(this.#sender, steps, this.#written.nodes)
    for (const [index, { id }] of nodes.entries()) {
      const { status, generation, deletedNodes } = parseNodeReply(id, replies[index])
      if (status === 'done') this.generations.set(id, generation)
      else this.generations.delete(id)
      this.unfinishedPurges.push(...deletedNodes)
    }
  }

  /**
   * Patches records. If another writer has changed a record in the meantime, the new record is patched. A
   * record that was deleted is not patched.
   */
  async #patchNodes(patches: readonly NodePatch[], records: ReadonlyMap<NodeId, string>): Promise<void> {
    const patchesWithRecord = patches.flatMap(({ id, fields }) => {
      const old = records.get(id)
      return old === undefined ? [] : { id, fields, old }
    })
    if (patchesWithRecord.length === 0) return
    const steps = patchesWithRecord.map(({ id, fields, old }) => ({
      id,
      command: createScriptCommand(
        REPLACE_NODE_SCRIPT,
        [this.#keys.node(id)],
        [old, patchRecord(id, old, fields)],
      ),
    }))
    const replies = await runSteps(this.#sender, steps)
    const changedRecords = patchesWithRecord.flatMap(({ id, old }, index) => {
      const text = replies[index]
      return typeof text === 'string' && text !== old ? [[id, text] as const] : []
    })
    const currentRecords = new Map(changedRecords)
    for (const { id } of patchesWithRecord) if (!currentRecords.has(id)) this.#written.nodes.push(id)
    await this.#patchNodes(patches, currentRecords)
  }
}
