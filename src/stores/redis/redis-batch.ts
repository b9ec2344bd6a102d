import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { NodeRecord } from '../../store/contract.ts'
import { type BatchEffect, mergeFields } from '../batch.ts'
import {
  type Command,
  type CommandSender,
  createCommand,
  createScriptCommand,
  parseListReply,
  unwrapReplies,
} from './command-sender.ts'
import {
  createEdgeSteps,
  createReverseAddSteps,
  createReverseRemoveSteps,
  purgeEdges,
} from './edge-writes.ts'
import { decodeNode, encodeNode, encodeToken, encodeTypePrefix, type RedisKeys } from './encoding.ts'
import { DELETE_NODE_SCRIPT, PUT_NODE_SCRIPT, REPLACE_NODE_SCRIPT } from './scripts.ts'

type WriteStep = { readonly id: string; readonly command: Command }
type NodePatch = { readonly id: NodeId; readonly fields: JsonObject }

const patchRecord = (id: NodeId, oldRecord: string, fields: JsonObject): string => {
  const record = decodeNode(id, oldRecord)
  return encodeNode({ ...record, fields: mergeFields(record.fields, fields) })
}

/**
 * The write of one batch: nodes, then tokens, then edges at their sources, then edges at their targets. The
 * reverse entries of deleted edges are removed before the edges. So if another writer puts such an edge in
 * the meantime, its reverse entry is added later and stays.
 */
export class RedisBatch {
  /** The ids that have been written, by part of the write. For tokens, these are digests. */
  readonly applied = {
    deletedNodes: [] as NodeId[],
    nodes: [] as NodeId[],
    tokens: [] as string[],
    sources: [] as NodeId[],
    targets: [] as NodeId[],
  }
  readonly #sender: CommandSender
  readonly #keys: RedisKeys

  constructor(sender: CommandSender, keys: RedisKeys) {
    this.#sender = sender
    this.#keys = keys
  }

  async apply(effect: BatchEffect, records: ReadonlyMap<NodeId, string>): Promise<void> {
    const { edgeDeletions, edgePuts } = effect
    await this.#deleteNodes(effect.nodeDeletions)
    await this.#putNodes(effect.nodePuts)
    await this.#patchNodes(effect.nodePatches, records)
    await this.#writeTokens(effect)
    if (edgeDeletions.length + edgePuts.length === 0) return
    await this.#runSteps(createReverseRemoveSteps(this.#keys, edgeDeletions))
    const writes = [
      ...edgeDeletions.map(edge => ({ edge })),
      ...edgePuts.map(edge => ({ edge, record: edge })),
    ]
    await this.#runSteps(createEdgeSteps(this.#keys, writes), this.applied.sources)
    await this.#addReverseEntries(edgePuts)
  }

  async #deleteNodes(ids: readonly NodeId[]): Promise<void> {
    if (ids.length === 0) return
    const listNames = await this.#sender.send(
      ids.map(id => createCommand('smembers', this.#keys.listNames(id))),
    )
    const steps = ids.map((id, index) => ({
      id,
      command: this.#createDeleteCommand(id, parseListReply(listNames[index]).map(String)),
    }))
    const replies = await this.#runSteps(steps)
    await this.#purge(ids.filter((_, index) => replies[index] === 'purge'))
    for (const [index, id] of ids.entries())
      if (replies[index] !== 'names') this.applied.deletedNodes.push(id)
    await this.#deleteNodes(ids.filter((_, index) => replies[index] === 'names'))
  }

  async #putNodes(nodes: readonly NodeRecord[]): Promise<void> {
    const steps = nodes.map(node => ({
      id: node.id,
      command: createScriptCommand(PUT_NODE_SCRIPT, this.#createNodeKeys(node.id), [
        encodeNode(node),
        encodeTypePrefix(node.type),
      ]),
    }))
    const replies = await this.#runSteps(steps, this.applied.nodes, reply => reply === 'done')
    const nodeOfOtherType = nodes.find((_, index) => replies[index] === 'type')
    if (nodeOfOtherType !== undefined)
      throw new Error(`another writer changed the type of node ${nodeOfOtherType.id}`)
    const unpurgedNodes = nodes.filter((_, index) => replies[index] === 'purge')
    if (unpurgedNodes.length === 0) return
    await this.#purge(unpurgedNodes.map(node => node.id))
    await this.#putNodes(unpurgedNodes)
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
    const replies = await this.#runSteps(steps)
    const changedRecords = patchesWithRecord.flatMap(({ id, old }, index) => {
      const text = replies[index]
      return typeof text === 'string' && text !== old ? [[id, text] as const] : []
    })
    const currentRecords = new Map(changedRecords)
    for (const { id } of patchesWithRecord) if (!currentRecords.has(id)) this.applied.nodes.push(id)
    await this.#patchNodes(patches, currentRecords)
  }

  async #writeTokens({ tokenDeletions, tokenPuts }: BatchEffect): Promise<void> {
    const deletions = tokenDeletions.map(digest => ({
      id: digest,
      command: createCommand('del', this.#keys.token(digest)),
    }))
    const puts = tokenPuts.map(({ digest, token }) => ({
      id: digest,
      command: createCommand('set', this.#keys.token(digest), encodeToken(token)),
    }))
    await this.#runSteps([...deletions, ...puts], this.applied.tokens)
  }

  /**
   * Adds reverse entries. Edges to a node that was deleted in the meantime are deleted too. They are first
   * removed from their lists, because a concurrent purge of the node may have missed them and may soon remove
   * their reverse entries.
   */
  async #addReverseEntries(edges: BatchEffect['edgePuts']): Promise<void> {
    const steps = createReverseAddSteps(this.#keys, edges)
    const replies = await this.#runSteps(steps, this.applied.targets)
    const deletedTargets = new Set(steps.flatMap(({ id }, index) => (Number(replies[index]) === 0 ? id : [])))
    const danglingEdges = edges.filter(({ target }) => deletedTargets.has(target))
    await this.#runSteps(
      createEdgeSteps(
        this.#keys,
        danglingEdges.map(edge => ({ edge })),
      ),
    )
    await this.#purge([...deletedTargets])
  }

  async #purge(ids: readonly NodeId[]): Promise<void> {
    await Promise.all(ids.map(id => purgeEdges(this.#sender, this.#keys, id)))
  }

  #createNodeKeys(id: NodeId): [string, string, string] {
    return [this.#keys.node(id), this.#keys.listNames(id), this.#keys.reverseEntries(id)]
  }

  #createDeleteCommand(id: NodeId, names: readonly string[]): Command {
    const keys = this.#keys
    const lists = names.flatMap(name => [
      keys.list(id, name),
      keys.deletedList(id, name),
      keys.edgeData(id, name),
    ])
    return createScriptCommand(DELETE_NODE_SCRIPT, [...this.#createNodeKeys(id), ...lists], names)
  }

  /**
   * Runs steps concurrently, and records the ids of completed steps in `doneIds`, even if other steps fail.
   */
  async #runSteps(
    steps: readonly WriteStep[],
    doneIds?: string[],
    isDone: (reply: unknown) => boolean = () => true,
  ): Promise<readonly unknown[]> {
    const replies = await this.#sender.sendSettled(steps.map(step => step.command))
    for (const [index, { id }] of steps.entries()) {
      const reply = replies[index]
      if (reply !== undefined && reply[0] === null && isDone(reply[1])) doneIds?.push(id)
    }
    return unwrapReplies(replies)
  }
}
