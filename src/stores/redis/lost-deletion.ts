import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey } from '../../store/contract.ts'
import { listOfOrder } from '../../store/derived-entries.ts'
import { completeEntries } from './collection-entries.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand, createScriptCommand, parseListReply } from './commands.ts'
import { createFirstSides, createSidesCommand, type EdgeWrite, findOrders, type Order } from './edge-sides.ts'
import { EdgeWriter } from './edge-writer.ts'
import {
  decodeReverseEntry,
  GENERATION_BYTES,
  type Generation,
  parseGeneration,
  parseMember,
  parseMemberGeneration,
  toMember,
  withoutDataSuffix,
} from './encoding.ts'
import type { PurgedNode } from './node-purge.ts'
import { completeNote } from './note-completion.ts'
import { READ_NUMBERS_SCRIPT } from './number-scripts.ts'
import { encodeNote, namesEdge, parseNote } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'

/** The mirrored edges from a node to one other node: their names and numbers. */
type MirroredEdges = { readonly exists: boolean; readonly numbers: ReadonlyMap<string, number> }

/** The number of entries that are read at once. */
const ENTRIES_PER_PAGE = 100

/**
 * Completes the deletion of a node after a failover. If the failover has lost the removal of edges from other
 * nodes, it is repeated.
 *
 * If the failover has lost the deletion itself, the node remains: others may have written to it since. So do its
 * edges whose other sides exist, or can be added again. Others are removed: the deletion had already removed
 * their other sides.
 */
export class LostDeletion {
  readonly #sender: CommandSender
  readonly #keys: RedisKeys
  readonly #node: PurgedNode

  constructor(sender: CommandSender, keys: RedisKeys, node: PurgedNode) {
    this.#sender = sender
    this.#keys = keys
    this.#node = node
  }

  /** Returns false if writers are changing some of the edges, so that they must be completed later. */
  async complete(): Promise<boolean> {
    const { id, generation, removals } = this.#node
    const [end, names] = await this.#sender.send([
      createCommand('getrange', this.#keys.node(id), `${-GENERATION_BYTES}`, '-1'),
      createCommand('smembers', this.#keys.listNames(id)),
    ])
    if (end === '' || parseGeneration(String(end)) !== generation) {
      await this.#sender.send(removals)
      return true
    }
    await completeEntries(this.#sender, this.#keys, id)
    let isComplete = true
    const listNames = parseListReply(names).map(String)
    for (const name of listNames.filter(name => listOfOrder(name) === undefined))
      for await (const members of this.#scan('zscan', this.#keys.list(id, name), 2))
        for (const member of members)
          if (!(await this.#completeEdge(name, withoutDataSuffix(member), findOrders(name, listNames))))
            isComplete = false
    for await (const entries of this.#scan('sscan', this.#keys.reverseEntries(id), 1))
      for (const entry of entries) if (!(await this.#completeReverseEntry(entry))) isComplete = false
    return isComplete
  }

  /** Scans a list or set. `width` is the number of cells of each entry, of which the first one is returned. */
  async *#scan(command: 'zscan' | 'sscan', key: string, width: number): AsyncGenerator<readonly string[]> {
    let cursor = '0'
    do {
      const [reply] = await this.#sender.send([
        createCommand(command, key, cursor, 'count', `${ENTRIES_PER_PAGE}`),
      ])
      const [next, cells] = parseListReply(reply)
      yield parseListReply(cells)
        .map(String)
        .filter((_, index) => index % width === 0)
      cursor = String(next)
    } while (cursor !== '0')
  }

  /** Adds the reverse entry of an edge from the node; removes a mirrored edge whose other side is missing. */
  async #completeEdge(name: string, member: string, orders: readonly Order[]): Promise<boolean> {
    const { id, generation } = this.#node
    const [target, targetGeneration] = [parseMember(member), parseMemberGeneration(member)]
    const edge = { source: id, name, target }
    const write = {
      edge,
      record: undefined,
      mirror: undefined,
      sourceGeneration: generation,
      targetGeneration,
      orders,
    }
    const own = await this.#readMirroredEdges(id, member)
    const number = own.numbers.get(name)
    if (number === undefined) return this.#settleReverseEntry(write)
    const other = await this.#readMirroredEdges(target, toMember(id, generation), targetGeneration)
    if (!other.exists) await new EdgeWriter(this.#sender, this.#keys, NO_ENDS).removeFirstSides([write])
    if (!other.exists || [...other.numbers.values()].includes(number)) return true
    // A writer may be between the two sides.
    if ((await this.#isNamed(id, member)) || (await this.#isNamed(target, toMember(id, generation))))
      return false
    await this.#removeSide(write, number)
    return true
  }

  /** Removes the reverse entry of an edge to the node, if the edge is missing. */
  async #completeReverseEntry(text: string): Promise<boolean> {
    const { source, generation, name } = decodeReverseEntry(text)
    const edge: EdgeKey = { source, name, target: this.#node.id }
    const ends = { sourceGeneration: generation, targetGeneration: this.#node.generation }
    if (await this.#isNamed(this.#node.id, toMember(source, generation))) return false
    return this.#settleReverseEntry({ edge, record: undefined, mirror: undefined, ...ends })
  }

  /** Adds the reverse entry of an edge if the edge exists, and removes it if it does not. */
  #settleReverseEntry(write: EdgeWrite): Promise<boolean> {
    const text = encodeNote(write.sourceGeneration, [write])
    return completeNote(this.#sender, this.#keys, { source: write.edge.source, text })
  }

  /** Removes one side of a mirrored edge, if its number has not changed. */
  async #removeSide(write: EdgeWrite, number: number): Promise<void> {
    // The name of the other side is unknown, and is not needed to remove this one.
    const sides = createFirstSides(write, '').map(side =>
      side.number === '' ? { ...side, number: `${number}>${number + 1}` } : side,
    )
    const { source } = write.edge
    await this.#sender.send([createSidesCommand(this.#keys, source, write.sourceGeneration, sides)])
  }

  async #readMirroredEdges(id: NodeId, member: string, generation?: Generation): Promise<MirroredEdges> {
    const keys = [this.#keys.node(id), this.#keys.listNames(id), this.#keys.numbers(id)] as const
    const [reply] = await this.#sender.send([createScriptCommand(READ_NUMBERS_SCRIPT, [...keys], [member])])
    const [end = '', ...cells] = parseListReply(reply).map(String)
    const isCurrent = generation === undefined || parseGeneration(end) === generation
    const numbers = new Map<string, number>()
    for (let at = 0; at < cells.length; at += 2) numbers.set(cells[at] ?? '', Number(cells[at + 1]))
    return { exists: end !== '' && isCurrent, numbers }
  }

  /** Whether a recovery note at a node names an edge to a member. */
  async #isNamed(id: NodeId, member: string): Promise<boolean> {
    const [reply] = await this.#sender.send([
      createCommand('zrange', this.#keys.recoveryNotes(id), '0', '-1'),
    ])
    const notes = parseListReply(reply).flatMap(text => parseNote(String(text)) ?? [])
    return namesEdge(notes, {}, member)
  }
}

const NO_ENDS = { sources: [], targets: [] }
