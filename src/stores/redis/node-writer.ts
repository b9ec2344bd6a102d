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
  toPurgeText,
} from './encoding.ts'
import { type DeletedNode, type PurgedNode, purgeNode } from './node-purge.ts'
import { DELETE_NODE_SCRIPT, PUT_NODE_SCRIPT, REPLACE_NODE_SCRIPT } from './node-scripts.ts'
import type { RedisKeys } from './redis-keys.ts'
import { parseRecordType } from './stored-json.ts'
import { runSteps, type StepSender } from './write-steps.ts'

type NodePatch = { readonly id: NodeId; readonly fields: JsonObject }

/** The ids of nodes that a write has deleted, put or patched. */
export type WrittenNodes = { readonly deletedNodes: NodeId[]; readonly nodes: NodeId[] }

/** The error of a put if another writer has put the node with another type since the batch was validated. */
export class TypeConflict extends Error {
  override readonly name = 'TypeConflict'
}

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
const readNodeStates = async (reader: CommandSender, keys: RedisKeys, ids: readonly NodeId[]) => {
  const replies = await reader.send(
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
      keys.entries(id),
      keys.deletedEntries(id, generation),
      ...names.flatMap(name => [
        keys.list(id, name),
        keys.deletedList(id, generation, name),
        keys.edgeData(id, name),
      ]),
    ],
    [generation, toPurgeText(generation), newRecordStart, ...names],
  )

/** Writes the nodes of a batch, and keeps the generations of all its nodes. */
export class NodeWriter {
  /** The generations of the existing nodes, before and then after the write. */
  readonly generations: Map<NodeId, Generation>
  readonly purgedNodes: PurgedNode[] = []
  /** Deleted generations whose purges another process has left unfinished. */
  readonly unfinishedPurges: DeletedNode[] = []
  readonly #reader: CommandSender
  readonly #sender: StepSender
  readonly #keys: RedisKeys
  readonly #written: WrittenNodes

  /** `reader` sends the commands that only read, and `sender` all others. */
  constructor(
    reader: CommandSender,
    sender: StepSender,
    keys: RedisKeys,
    written: WrittenNodes,
    generations: Map<NodeId, Generation>,
  ) {
    this.#reader = reader
    this.#sender = sender
    this.#keys = keys
    this.#written = written
    this.generations = generations
  }

  async write(effect: BatchEffect, records: ReadonlyMap<NodeId, string>): Promise<void> {
    const putsById = new Map(effect.nodePuts.map(node => [node.id, node]))
    await this.#deleteNodes(effect.nodeDeletions, putsById)
    await this.#putNodes([...putsById.values()], records)
    await this.#patchNodes(effect.nodePatches, records)
  }

  /**
   * Deletes nodes and purges their edges. A node that the batch also puts is replaced in one step, so that it
   * always exists, and is removed from `putsById`.
   */
  async #deleteNodes(ids: readonly NodeId[], putsById: Map<NodeId, NodeRecord>): Promise<void> {
    if (ids.length === 0) return
    const states = await readNodeStates(this.#reader, this.#keys, ids)
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
      if (!putsById.delete(id)) continue
      this.generations.set(id, generation)
      this.#written.nodes.push(id)
    }
    const deletedNodes = replies.flatMap(reply => reply.deletedNodes)
    const purges = deletedNodes.map(node => purgeNode(this.#reader, this.#sender, this.#keys, node))
    this.purgedNodes.push(...(await Promise.all(purges)))
    for (const [index, { status }] of replies.entries())
      if (status !== 'changed') this.#written.deletedNodes.push(ids[index] ?? '')
    await this.#deleteNodes(
      ids.filter((_, index) => replies[index]?.status === 'changed'),
      putsById,
    )
  }

  /**
   * Puts nodes. If a node existed with its type before, and another writer has deleted it and put one of another
   * type in the meantime, that writer's node remains, as if it had been put later.
   *
   * @throws TypeConflict if another writer has put a node of another type, and nothing shows a deletion.
   */
  async #putNodes(nodes: readonly NodeRecord[], records: ReadonlyMap<NodeId, string>): Promise<void> {
    const steps = nodes.map(node => ({
      id: node.id,
      command: createScriptCommand(
        PUT_NODE_SCRIPT,
        [this.#keys.node(node.id), this.#keys.lastGeneration(node.id), this.#keys.pendingPurges(node.id)],
        [encodeNodeStart(node), encodeTypePrefix(node.type)],
      ),
    }))
    const isPut = (reply: unknown): boolean => parseListReply(reply)[0] === 'done'
    const replies = await runSteps(this.#sender, steps, this.#written.nodes, isPut)
    for (const [index, { id, type }] of nodes.entries()) {
      const { status, generation, deletedNodes } = parseNodeReply(id, replies[index])
      if (status === 'done') this.generations.set(id, generation)
      else if (parseRecordType(records.get(id) ?? '') === type) this.generations.delete(id)
      else throw new TypeConflict()
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
