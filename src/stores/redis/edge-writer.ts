import type { NodeId } from '../../base/ids.ts'
import {
  createFirstSides,
  createSecondSides,
  createSidesCommand,
  type EdgeWrite,
  groupBy,
  parseSidesReply,
  type Side,
  toSecondWrite,
} from './edge-sides.ts'
import { encodeNote, type OldNotes, type SavedNote } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'
import { runSteps, type StepSender } from './write-steps.ts'

/** A write whose first side has a number. The number of an edge without a mirror is 0. */
type NumberedWrite = { readonly write: EdgeWrite; readonly number: number }

/** A write whose second side already had a larger number. */
type OutdatedWrite = NumberedWrite & { readonly secondNumber: number }

/** The ids at which sides were written. */
export type WrittenEnds = { readonly sources: NodeId[]; readonly targets: NodeId[] }

/**
 * Writes edges: first the sides at their sources, with a recovery note, then the sides at their targets. If
 * one of the nodes was deleted in the meantime, the edge is not written, as if it had been written before the
 * deletion.
 */
export class EdgeWriter {
  /** The recovery notes of the writes. */
  readonly savedNotes: SavedNote[] = []
  /** The older recovery notes of the same nodes. */
  readonly oldNotes: OldNotes[] = []
  readonly #sender: StepSender
  readonly #firstSender: StepSender
  readonly #isOnce: boolean
  readonly #keys: RedisKeys
  readonly #written: WrittenEnds
  #isContested = false

  /**
   * `batchSender` sends the scripts that write the first sides of a batch with an id, and `sender` all others.
   */
  constructor(sender: StepSender, keys: RedisKeys, written: WrittenEnds, batchSender?: StepSender) {
    this.#sender = sender
    this.#firstSender = batchSender ?? sender
    this.#isOnce = batchSender !== undefined
    this.#keys = keys
    this.#written = written
  }

  /** Whether another writer or a failover has interfered, so that both sides must be compared later. */
  get isContested(): boolean {
    return this.#isContested
  }

  /** Writes both sides of edges. */
  write(writes: readonly EdgeWrite[]): Promise<void> {
    return this.#write(writes, this.#firstSender)
  }

  async #write(writes: readonly EdgeWrite[], firstSender: StepSender): Promise<void> {
    const groups = [...groupBy(writes, ({ edge }) => edge.source)]
    const replies = await this.#writeSides(
      groups.map(([source, group]) => {
        const generation = group[0]?.sourceGeneration ?? ''
        const sides = group.flatMap(write => createFirstSides(write, 'new'))
        return { id: source, generation, sides, note: encodeNote(generation, group) }
      }),
      this.#written.sources,
      firstSender,
    )
    await this.writeSecondSides(
      groups.flatMap(([, group], index) => {
        const numbers = replies[index]
        return numbers === undefined ? [] : assignNumbers(group, numbers)
      }),
    )
  }

  /**
   * Writes the sides at the targets. The reverse entry of a deleted edge without a mirror is removed later,
   * when its recovery note is settled.
   *
   * If the second side of a mirrored edge has a larger number, the master of the first side has lost writes
   * in a failover. Then both sides are written again, with a number above it.
   */
  async writeSecondSides(numberedWrites: readonly NumberedWrite[]): Promise<void> {
    const unfinishedWrites = numberedWrites.filter(
      ({ write }) => write.record !== undefined || write.mirror !== undefined,
    )
    if (unfinishedWrites.length === 0) return
    const groups = [...groupBy(unfinishedWrites, ({ write }) => write.edge.target)]
    const replies = await this.#writeSides(
      groups.map(([target, group]) => {
        const generation = group[0]?.write.targetGeneration ?? ''
        const sides = group.flatMap(({ write, number }) => createSecondSides(write, `${number}`))
        const mirroredWrites = group.flatMap(({ write }) => toSecondWrite(write) ?? [])
        const note = mirroredWrites.length === 0 ? '' : encodeNote(generation, mirroredWrites)
        return { id: target, generation, sides, note }
      }),
      this.#written.targets,
    )
    const obsoleteWrites: EdgeWrite[] = []
    const outdatedWrites: OutdatedWrite[] = []
    for (const [index, [, group]] of groups.entries()) {
      const numbers = replies[index]
      if (numbers === undefined) obsoleteWrites.push(...group.map(({ write }) => write))
      else outdatedWrites.push(...findOutdatedWrites(group, numbers))
    }
    await this.removeFirstSides(obsoleteWrites)
    await this.#writeAgain(outdatedWrites)
  }

  /** Removes the first sides of edges whose targets were deleted. */
  async removeFirstSides(writes: readonly EdgeWrite[]): Promise<void> {
    const groups = [...groupBy(writes, ({ edge }) => edge.source)]
    await this.#writeSides(
      groups.map(([source, group]) => ({
        id: source,
        generation: group[0]?.sourceGeneration ?? '',
        // The number of an edge to a deleted generation is not needed any more.
        sides: group.flatMap(write =>
          createFirstSides({ ...write, record: undefined }, '').map(side => ({ ...side, number: '' })),
        ),
        note: '',
      })),
    )
  }

  /** Writes both sides again, unless another writer has written the first side in the meantime. */
  async #writeAgain(outdatedWrites: readonly OutdatedWrite[]): Promise<void> {
    if (outdatedWrites.length === 0) return
    this.#isContested = true
    const groups = [...groupBy(outdatedWrites, ({ write }) => write.edge.source)]
    const replies = await this.#writeSides(
      groups.map(([source, group]) => ({
        id: source,
        generation: group[0]?.write.sourceGeneration ?? '',
        sides: group.flatMap(({ write, number, secondNumber }) =>
          createFirstSides(write, `${number}>${secondNumber + 1}`),
        ),
        note: '',
      })),
    )
    const rewritten: NumberedWrite[] = []
    const overwritten: EdgeWrite[] = []
    for (const [index, [, group]] of groups.entries())
      for (const [at, { write, secondNumber }] of group.entries()) {
        const number = replies[index]?.[at]
        if (number === secondNumber + 1) rewritten.push({ write, number })
        // A later write has written both sides, or a recovery that did not know this write has made them equal.
        // A batch with an id must not undo a later write, which may depend on it.
        else if (number === -secondNumber && !this.#isOnce) overwritten.push(write)
      }
    await this.writeSecondSides(rewritten)
    await this.#write(overwritten, this.#sender)
  }

  /**
   * Writes sides at several nodes. Returns the numbers of the mirrored sides of each node, or undefined if
   * the node is of another generation.
   */
  async #writeSides(
    nodes: readonly {
      readonly id: NodeId
      readonly generation: string
      readonly sides: readonly Side[]
      readonly note: string
    }[],
    writtenIds?: NodeId[],
    sender: StepSender = this.#sender,
  ): Promise<readonly (readonly number[] | undefined)[]> {
    // An error does not show which notes were saved.
    for (const { id, note } of nodes) if (note !== '') this.savedNotes.push({ source: id, text: note })
    const replies = await runSteps(
      sender,
      nodes.map(({ id, generation, sides, note }) => ({
        id,
        command: createSidesCommand(this.#keys, id, generation, sides, note),
      })),
      writtenIds,
    )
    return nodes.map(({ id }, index) => {
      const reply = parseSidesReply(replies[index])
      if (reply?.oldNotes !== undefined) this.oldNotes.push({ source: id, maxScore: reply.oldNotes })
      return reply?.numbers
    })
  }
}

/** Returns the writes of one source with their numbers. `numbers` are those of the mirrored ones. */
export const assignNumbers = (
  writes: readonly EdgeWrite[],
  numbers: readonly number[],
): readonly NumberedWrite[] => {
  let index = 0
  return writes.map(write => ({
    write,
    number: write.mirror === undefined ? 0 : (numbers[index++] ?? 0),
  }))
}

const findOutdatedWrites = (
  group: readonly NumberedWrite[],
  secondNumbers: readonly number[],
): readonly OutdatedWrite[] =>
  group
    .filter(({ write }) => write.mirror !== undefined)
    .flatMap(({ write, number }, index) => {
      const secondNumber = secondNumbers[index] ?? number
      return secondNumber > number ? { write, number, secondNumber } : []
    })
