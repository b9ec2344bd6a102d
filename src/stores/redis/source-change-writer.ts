import type { GraphError } from '../../base/errors.ts'
import { isChosenId } from '../../store/conditional.ts'
import { foldBatch } from '../batch.ts'
import { collectEntries, findStoredEntries } from './batch-entries.ts'
import { BatchSender } from './batch-sender.ts'
import { completeEntries, writeEntries } from './collection-entries.ts'
import { createCommand, parseListReply } from './commands.ts'
import { type EdgeWrite, parseSidesReply } from './edge-sides.ts'
import { assignNumbers, EdgeWriter } from './edge-writer.ts'
import { parsePurge } from './encoding.ts'
import { parseSavedEntries } from './entry-sender.ts'
import { type DeletedNode, type PurgedNode, purgeNode } from './node-purge.ts'
import { completeKnownNotes } from './note-completion.ts'
import type { SourceChange } from './source-change.ts'
import type { SourceBatch, SourceState } from './source-state.ts'
import { deriveStoredEntries } from './stored-entries.ts'
import { collectEdgeWrites, createAcceptedTypeLookup, MAX_CERTAIN_MS, writeFlags } from './write-batch.ts'
import type { WriteContext } from './write-context.ts'
import { createApplied, toWriteError } from './write-errors.ts'

/**
 * Completes a batch whose script has changed its source: purges deleted edges, and writes the second sides
 * and the mirrored edges whose first sides are at other sources.
 */
export class SourceChangeWriter {
  readonly #context: WriteContext
  readonly #batch: SourceBatch
  readonly #stepSender: BatchSender
  readonly #edgeWriter: EdgeWriter
  readonly #applied = createApplied()
  readonly #startTime = performance.now()
  /** The masters when the write began. */
  readonly #servers: string | undefined

  constructor(context: WriteContext, batch: SourceBatch) {
    const { sender, keys, settler } = context
    this.#context = context
    this.#batch = batch
    this.#servers = settler.servers
    this.#stepSender = new BatchSender(sender, keys, batch.batch)
    this.#edgeWriter = new EdgeWriter(sender, keys, this.#applied, this.#stepSender)
  }

  /** Returns the error of a write that failed midway. Its notes are completed later. */
  toError(cause: unknown): GraphError {
    this.#context.settler.addNotes(this.#edgeWriter.savedNotes, undefined)
    const completion = isChosenId(this.#batch.batch) ? 'again with its id' : undefined
    return toWriteError(cause, this.#applied, completion)
  }

  /** Completes a change after the reply of its script. */
  async complete(
    state: SourceState,
    change: SourceChange,
    [purges, sidesReply, entriesReply]: readonly unknown[],
  ): Promise<void> {
    const { newText, deletedGeneration, edgeWrites, otherEdgeWrites, note } = change
    const { source } = this.#batch
    const { settler } = this.#context
    const { savedNotes, oldNotes } = this.#edgeWriter
    if (note !== '') savedNotes.push({ source, text: note })
    if (newText !== '') this.#applied.nodes.push(source)
    if (edgeWrites.length > 0) this.#applied.sources.push(source)
    const purgedNodes = await this.#purge(parseListReply(purges))
    if (deletedGeneration !== undefined) this.#applied.deletedNodes.push(source)
    const sides = parseSidesReply(sidesReply)
    if (sides?.oldNotes !== undefined) oldNotes.push({ source, maxScore: sides.oldNotes })
    await this.#writeEntries(change, parseListReply(entriesReply))
    await this.#edgeWriter.writeSecondSides(assignNumbers(edgeWrites, sides?.numbers ?? []))
    await this.#writeOtherEdges(otherEdgeWrites)
    settler.addNotes(savedNotes, this.#certainServers)
    settler.addDeletions(purgedNodes, this.#servers)
    settler.addUnfinished(oldNotes, newText === '' ? [] : this.#toDeletedNodes(state.oldPurges))
    await deriveStoredEntries(this.#context, change.storedEntries)
    await this.#writeFlags()
  }

  /** Writes the entries of the source in their shards, after its script has saved them. */
  async #writeEntries({ entries }: SourceChange, reply: readonly unknown[]): Promise<void> {
    const { sender, keys } = this.#context
    const { source } = this.#batch
    if (entries === undefined || reply.length <= 2) return
    const { savedNotes, oldNotes } = this.#edgeWriter
    savedNotes.push({ source, text: entries.note })
    if (reply[1] !== '') oldNotes.push({ source, maxScore: String(reply[1]) })
    const { outdated } = await writeEntries(sender, keys, parseSavedEntries(source, entries.cells, reply))
    if (outdated.length > 0) await completeEntries(sender, keys, source)
  }

  /**
   * Completes a batch whose script was run before, by another attempt or because its reply was lost. `score`
   * is the score of its recovery note.
   */
  async completeKnown(state: SourceState, score: string): Promise<void> {
    const { source, mutations } = this.#batch
    const effect = foldBatch(mutations, createAcceptedTypeLookup(mutations))
    if (effect.nodeDeletions.length > 0) {
      const { sender, keys } = this.#context
      const [purges] = await sender.send([createCommand('zrange', keys.pendingPurges(source), '0', '-1')])
      await this.#purge(parseListReply(purges))
    }
    if (score !== '') await completeKnownNotes(this.#context, [{ source, score }])
    const entries = collectEntries(mutations)
    if (entries.byNode.has(source)) await completeEntries(this.#context.sender, this.#context.keys, source)
    const writes = collectEdgeWrites(effect, state.generations, entries)
    await this.#writeOtherEdges(writes.filter(({ edge }) => edge.source !== source))
    const { savedNotes, oldNotes } = this.#edgeWriter
    this.#context.settler.addNotes(savedNotes, this.#certainServers)
    this.#context.settler.addUnfinished(oldNotes, [])
    await deriveStoredEntries(this.#context, findStoredEntries(entries, effect, writes))
    await this.#writeFlags()
  }

  /** Sets the flags of the batch, which a rejected batch must not set. */
  async #writeFlags(): Promise<void> {
    const flags = this.#batch.mutations.flatMap(mutation => (mutation.op === 'putFlag' ? mutation.flag : []))
    const values = new Map(flags.map(({ name, value }) => [name, value]))
    await writeFlags(this.#context.sender, this.#context.keys, values)
  }

  async #writeOtherEdges(writes: readonly EdgeWrite[]): Promise<void> {
    if (writes.length === 0) return
    await this.#edgeWriter.write(writes)
    await completeKnownNotes(this.#context, this.#stepSender.knownNotes)
  }

  /** The masters when the write began, or undefined if both sides must be compared later. */
  get #certainServers(): string | undefined {
    const isCertain = !this.#edgeWriter.isContested && performance.now() - this.#startTime < MAX_CERTAIN_MS
    return isCertain ? this.#servers : undefined
  }

  #purge(purges: readonly unknown[]): Promise<readonly PurgedNode[]> {
    const { reader, sender, keys } = this.#context
    return Promise.all(this.#toDeletedNodes(purges).map(node => purgeNode(reader, sender, keys, node)))
  }

  #toDeletedNodes(purges: readonly unknown[]): readonly DeletedNode[] {
    return purges.map(text => ({ id: this.#batch.source, generation: parsePurge(String(text)) }))
  }
}
