import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { NodeRecord } from '../../store/contract.ts'
import type { BatchEffect } from '../batch/fold-batch.ts'
import { mergeFields } from '../batch/merge-fields.ts'
import { type Command, command, runScript } from './command.ts'
import { addReverseSteps, edgeSteps, removeReverseSteps } from './edge-writes.ts'
import type { Keys } from './keys.ts'
import { purgeEdges } from './purge.ts'
import { decodeNode, encodeNode, encodeToken, typePrefix } from './records.ts'
import { DELETE_NODE, PUT_NODE, REPLACE_NODE } from './scripts.ts'
import { listOf, type Sender, valuesOf } from './sender.ts'

type Step = { readonly id: string; readonly command: Command }
type Patch = { readonly id: NodeId; readonly fields: JsonObject }

const patched = (id: NodeId, old: string, fields: JsonObject): string => {
  const record = decodeNode(id, old)
  return encodeNode({ ...record, fields: mergeFields(record.fields, fields) })
}

/**
 * One batch on its way into the server: nodes, then edges at their sources, then edges at their targets. What a target
 * remembers of deleted edges goes before them: whoever puts one of them meanwhile makes the target remember it later.
 */
export class BatchWrite {
  /** By part of the write the ids that are done; of tokens the digests. */
  readonly applied = {
    deletedNodes: [] as NodeId[],
    nodes: [] as NodeId[],
    tokens: [] as string[],
    sources: [] as NodeId[],
    targets: [] as NodeId[],
  }
  readonly #sender: Sender
  readonly #keys: Keys

  constructor(sender: Sender, keys: Keys) {
    this.#sender = sender
    this.#keys = keys
  }

  async apply(effect: BatchEffect, records: ReadonlyMap<NodeId, string>): Promise<void> {
    const { deleteEdges, putEdges } = effect
    await this.#deleteNodes(effect.deleteNodes)
    await this.#putNodes(effect.putNodes)
    await this.#patchNodes(effect.patchNodes, records)
    await this.#writeTokens(effect)
    await this.#take(removeReverseSteps(this.#keys, deleteEdges))
    const writes = [...deleteEdges.map(edge => ({ edge })), ...putEdges.map(edge => ({ edge, record: edge }))]
    await this.#take(edgeSteps(this.#keys, writes), this.applied.sources)
    await this.#addReverse(putEdges)
  }

  async #deleteNodes(ids: readonly NodeId[]): Promise<void> {
    if (ids.length === 0) return
    const names = await this.#sender.send(ids.map(id => command('smembers', this.#keys.names(id))))
    const steps = ids.map((id, index) => ({
      id,
      command: this.#deletion(id, listOf(names[index]).map(String)),
    }))
    const replies = await this.#take(steps)
    await this.#purge(ids.filter((_, index) => replies[index] === 'purge'))
    for (const [index, id] of ids.entries())
      if (replies[index] !== 'names') this.applied.deletedNodes.push(id)
    await this.#deleteNodes(ids.filter((_, index) => replies[index] === 'names'))
  }

  async #putNodes(nodes: readonly NodeRecord[]): Promise<void> {
    const steps = nodes.map(node => ({
      id: node.id,
      command: runScript(PUT_NODE, this.#nodeKeys(node.id), [encodeNode(node), typePrefix(node.type)]),
    }))
    const replies = await this.#take(steps, this.applied.nodes, reply => reply === 'done')
    const changed = nodes.find((_, index) => replies[index] === 'type')
    if (changed !== undefined) throw new Error(`node ${changed.id} was given another type meanwhile`)
    const unpurged = nodes.filter((_, index) => replies[index] === 'purge')
    if (unpurged.length === 0) return
    await this.#purge(unpurged.map(node => node.id))
    await this.#putNodes(unpurged)
  }

  /** A record that was written meanwhile is patched as it is by now; one that was deleted is not. */
  async #patchNodes(patches: readonly Patch[], records: ReadonlyMap<NodeId, string>): Promise<void> {
    const known = patches.flatMap(({ id, fields }) => {
      const old = records.get(id)
      return old === undefined ? [] : { id, fields, old }
    })
    if (known.length === 0) return
    const steps = known.map(({ id, fields, old }) => ({
      id,
      command: runScript(REPLACE_NODE, [this.#keys.node(id)], [old, patched(id, old, fields)]),
    }))
    const found = await this.#take(steps)
    const changed = known.flatMap(({ id, old }, index) => {
      const text = found[index]
      return typeof text === 'string' && text !== old ? [[id, text] as const] : []
    })
    const now = new Map(changed)
    for (const { id } of known) if (!now.has(id)) this.applied.nodes.push(id)
    await this.#patchNodes(patches, now)
  }

  async #writeTokens({ deleteTokens, putTokens }: BatchEffect): Promise<void> {
    const deletions = deleteTokens.map(digest => ({
      id: digest,
      command: command('del', this.#keys.token(digest)),
    }))
    const puts = putTokens.map(({ digest, token }) => ({
      id: digest,
      command: command('set', this.#keys.token(digest), encodeToken(token)),
    }))
    await this.#take([...deletions, ...puts], this.applied.tokens)
  }

  /**
   * Edges to a node that was deleted meanwhile go with it: first from their lists, since others who purge the node may
   * have been there already and may soon have it forget them.
   */
  async #addReverse(edges: BatchEffect['putEdges']): Promise<void> {
    const steps = addReverseSteps(this.#keys, edges)
    const there = await this.#take(steps, this.applied.targets)
    const gone = new Set(steps.flatMap(({ id }, index) => (Number(there[index]) === 0 ? id : [])))
    const dangling = edges.filter(({ target }) => gone.has(target))
    await this.#take(
      edgeSteps(
        this.#keys,
        dangling.map(edge => ({ edge })),
      ),
    )
    await this.#purge([...gone])
  }

  async #purge(ids: readonly NodeId[]): Promise<void> {
    await Promise.all(ids.map(id => purgeEdges(this.#sender, this.#keys, id)))
  }

  #nodeKeys(id: NodeId): [string, string, string] {
    return [this.#keys.node(id), this.#keys.names(id), this.#keys.reverse(id)]
  }

  #deletion(id: NodeId, names: readonly string[]): Command {
    const keys = this.#keys
    const lists = names.flatMap(name => [keys.list(id, name), keys.deadList(id, name), keys.data(id, name)])
    return runScript(DELETE_NODE, [...this.#nodeKeys(id), ...lists], names)
  }

  /** Takes steps at once, and notes those done, even where others fail. */
  async #take(
    steps: readonly Step[],
    done?: string[],
    isDone: (reply: unknown) => boolean = () => true,
  ): Promise<readonly unknown[]> {
    const outcomes = await this.#sender.settle(steps.map(step => step.command))
    for (const [index, { id }] of steps.entries()) {
      const outcome = outcomes[index]
      if (outcome !== undefined && outcome[0] === null && isDone(outcome[1])) done?.push(id)
    }
    return valuesOf(outcomes)
  }
}
