import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import type { Finding } from '../../store/inspection.ts'
import { isFirstSide } from '../../store/mirrors.ts'
import { removeStaleRow } from './collection-inspection.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand, createScriptCommand, parseListReply } from './commands.ts'
import {
  createFirstSides,
  createSecondSides,
  createSidesCommand,
  type EdgeWrite,
  findOrders,
  parseSidesReply,
} from './edge-sides.ts'
import { EdgeWriter } from './edge-writer.ts'
import {
  decodeReverseEntry,
  type Generation,
  parseMemberGeneration,
  toMember,
  toPurgeText,
} from './encoding.ts'
import { type ListedEdgeState, readIdState } from './id-state.ts'
import { purgeNode, removeEdges } from './node-purge.ts'
import { completeNote } from './note-completion.ts'
import { completeNotes } from './recovery.ts'
import { encodeNote, parseNote } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'
import {
  REMOVE_ORPHAN_ENTRY_SCRIPT,
  REMOVE_ORPHAN_SCRIPT,
  RETIRE_GENERATION_SCRIPT,
} from './repair-scripts.ts'
import { readAllNotes } from './stored-notes.ts'

/** Repairs findings of one store. Each method reads the ends of the edge again before it changes anything. */
export class RedisRepair {
  readonly #sender: CommandSender
  readonly #keys: RedisKeys

  constructor(sender: CommandSender, keys: RedisKeys) {
    this.#sender = sender
    this.#keys = keys
  }

  /** Returns whether it changed the store. */
  async repair(finding: Finding): Promise<boolean> {
    switch (finding.kind) {
      case 'halfMirror':
        return this.#repairMirror(finding.edge, finding.mirror, finding.isDeleted)
      case 'danglingEdge':
      case 'staleEdge':
        return this.#removeListed(finding.edge, finding.member ?? '')
      case 'missingReverseEntry':
        return this.#settleReverseEntry(finding.edge)
      case 'staleReverseEntry':
        return this.#removeReverseEntry(finding.edge, finding.member ?? '')
      case 'damagedNote':
        return this.#removeDamagedNotes(finding.id)
      case 'unfinishedMirror':
      case 'unfinishedEntry':
      case 'unfinishedDeletion':
        return this.#complete(finding.id)
      default:
        return false
    }
  }

  /** Completes the purges of an id, and its recovery notes except those of writers that probably still work. */
  async #complete(id: NodeId): Promise<boolean> {
    const [sender, keys] = [this.#sender, this.#keys]
    const { purges, maxOldScore } = await readIdState(sender, keys, id)
    const completed = await completeNotes(sender, keys, { source: id, maxScore: maxOldScore })
    for (const generation of purges) await purgeNode(sender, sender, keys, { id, generation })
    return completed + purges.length > 0
  }

  async #removeDamagedNotes(id: NodeId): Promise<boolean> {
    const [sender, keys] = [this.#sender, this.#keys]
    let removed = 0
    for await (const notes of readAllNotes(sender, keys, id)) {
      const damaged = notes.filter(({ text }) => parseNote(text) === undefined)
      await sender.send(damaged.map(({ text }) => createCommand('zrem', keys.recoveryNotes(id), text)))
      removed += damaged.length
    }
    return removed > 0
  }

  async #retireGeneration(id: NodeId, generation: Generation): Promise<boolean> {
    const keys = [this.#keys.node(id), this.#keys.lastGeneration(id)] as const
    const [isRetired] = await this.#sender.send([
      createScriptCommand(RETIRE_GENERATION_SCRIPT, keys, [toPurgeText(generation)]),
    ])
    return Number(isRetired) === 1
  }

  /** Removes an entry of a list whose source is missing, or whose target has no node of its generation. */
  async #removeListed(edge: EdgeKey, member: string): Promise<boolean> {
    const { source, name, target } = edge
    if (source === ROOT_ID) return removeStaleRow(this.#sender, this.#keys, edge, member)
    const [sender, keys, generation] = [this.#sender, this.#keys, parseMemberGeneration(member)]
    const sourceState = await readIdState(sender, keys, source, { edges: [{ name, member }] })
    if (sourceState.edges[0]?.time === undefined) return false
    if (sourceState.generation === undefined) {
      const orphanKeys = [keys.node(source), keys.list(source, name), keys.edgeData(source, name)] as const
      const [removed] = await sender.send([createScriptCommand(REMOVE_ORPHAN_SCRIPT, orphanKeys, [member])])
      return Number(removed) > 0
    }
    const targetState = await readIdState(sender, keys, target)
    if (targetState.generation === generation) return false
    // Otherwise, a new node could get this generation before the entry is removed.
    if (targetState.generation === undefined && !(await this.#retireGeneration(target, generation)))
      return false
    await removeEdges(sender, keys, [{ source, names: [name], target: { id: target, generation } }])
    return true
  }

  async #removeReverseEntry(edge: EdgeKey, entryText: string): Promise<boolean> {
    const [sender, keys] = [this.#sender, this.#keys]
    const { generation } = decodeReverseEntry(entryText)
    const source = await readIdState(sender, keys, edge.source)
    const target = await readIdState(sender, keys, edge.target)
    const entriesKey = keys.reverseEntries(edge.target)
    if (target.generation === undefined) {
      const command = createScriptCommand(
        REMOVE_ORPHAN_ENTRY_SCRIPT,
        [keys.node(edge.target), entriesKey],
        [entryText],
      )
      return Number((await sender.send([command]))[0]) > 0
    }
    if (source.generation === generation) return this.#settleReverseEntry(edge)
    if (source.generation === undefined && !(await this.#retireGeneration(edge.source, generation)))
      return false
    const [removed] = await sender.send([createCommand('srem', entriesKey, entryText)])
    return Number(removed) > 0
  }

  /** Adds the reverse entry of an edge if the edge exists, and removes it if it does not. */
  async #settleReverseEntry(edge: EdgeKey): Promise<boolean> {
    const [sender, keys] = [this.#sender, this.#keys]
    const source = await readIdState(sender, keys, edge.source)
    const target = await readIdState(sender, keys, edge.target)
    if (source.generation === undefined || target.generation === undefined) return false
    const write: EdgeWrite = {
      edge,
      record: undefined,
      mirror: undefined,
      sourceGeneration: source.generation,
      targetGeneration: target.generation,
    }
    return completeNote(sender, keys, {
      source: edge.source,
      text: encodeNote(source.generation, [write]),
    })
  }

  /**
   * Adds the missing side of a mirrored edge, or removes the existing one if the other was deleted later. The
   * numbers of both sides prevent that a concurrent write is overwritten.
   */
  async #repairMirror(edge: EdgeKey, mirror: EdgeKey, isDeleted: boolean): Promise<boolean> {
    const [first, second] = isFirstSide(edge, mirror) ? [edge, mirror] : [mirror, edge]
    const [source, target] = [await this.#read(first.source), await this.#read(first.target)]
    if (source.generation === undefined || target.generation === undefined) return false
    const firstState = await this.#readSide(first, target.generation)
    const secondState = await this.#readSide(second, source.generation)
    const existing = firstState.time === undefined ? secondState : firstState
    if (existing.time === undefined || (firstState.time !== undefined && secondState.time !== undefined))
      return false
    const write: EdgeWrite = {
      edge: first,
      record: { ...first, time: existing.time, data: existing.data },
      mirror: second,
      sourceGeneration: source.generation,
      targetGeneration: target.generation,
    }
    return isDeleted
      ? this.#removeSide(write, firstState, secondState)
      : this.#addSide(write, firstState, secondState)
  }

  #read(id: NodeId) {
    return readIdState(this.#sender, this.#keys, id)
  }

  async #readSide({ source, name, target }: EdgeKey, generation: Generation): Promise<ListedEdgeState> {
    const listed = { name, member: toMember(target, generation) }
    const { edges } = await readIdState(this.#sender, this.#keys, source, { edges: [listed] })
    const [state] = edges
    if (state === undefined) throw new Error('the server returned no state of an edge')
    return state
  }

  async #removeSide(write: EdgeWrite, first: ListedEdgeState, second: ListedEdgeState): Promise<boolean> {
    const isFirst = first.time !== undefined
    const number = isFirst ? second.deletedNumber : first.deletedNumber
    const id = isFirst ? write.edge.source : write.edge.target
    const [names] = await this.#sender.send([createCommand('smembers', this.#keys.listNames(id))])
    const listNames = parseListReply(names).map(String)
    const deletion = {
      ...write,
      record: undefined,
      orders: findOrders(write.edge.name, listNames),
      mirrorOrders: findOrders(write.mirror?.name ?? '', listNames),
    }
    const sides = isFirst ? createFirstSides(deletion, `${number}`) : createSecondSides(deletion, `${number}`)
    const generation = isFirst ? write.sourceGeneration : write.targetGeneration
    const [reply] = await this.#sender.send([createSidesCommand(this.#keys, id, generation, sides)])
    return parseSidesReply(reply)?.numbers[0] === number
  }

  /** Writes both sides with a number above those of both, if nobody has changed the first side. */
  async #addSide(write: EdgeWrite, first: ListedEdgeState, second: ListedEdgeState): Promise<boolean> {
    const [sender, keys, source] = [this.#sender, this.#keys, write.edge.source]
    const last = first.number > 0 ? first.number : first.deletedNumber
    const number = Math.max(last, second.number, second.deletedNumber) + 1
    const text = encodeNote(write.sourceGeneration, [write])
    const sides = createFirstSides(write, `${last}>${number}`)
    const [reply] = await sender.send([createSidesCommand(keys, source, write.sourceGeneration, sides, text)])
    const isWritten = parseSidesReply(reply)?.numbers[0] === number
    const writer = new EdgeWriter(sender, keys, { sources: [], targets: [] })
    if (isWritten) await writer.writeSecondSides([{ write, number }])
    for (const note of [{ source, text }, ...writer.savedNotes]) await completeNote(sender, keys, note)
    return isWritten
  }
}
