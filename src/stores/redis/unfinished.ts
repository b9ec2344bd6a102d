import type { NodeId } from '../../base/ids.ts'
import type { Finding } from '../../store/inspection.ts'
import { wait } from '../wait.ts'
import { hasAllEntries } from './collection-entries.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand, parseListReply } from './commands.ts'
import {
  encodeReverseEntry,
  type Generation,
  parseMember,
  parseMemberGeneration,
  toMember,
} from './encoding.ts'
import { type IdState, type ListedEdgeState, readIdState } from './id-state.ts'
import { type NoteItem, namesEdge, parseNote, type SavedNote } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'
import { NOTES_PER_PAGE, readAllNotes, readNotes } from './stored-notes.ts'

/** The waits before each look at an unfinished write or purge, in milliseconds. */
const WAITS_MS = [0, 100, 900]

const isSame = (a: ListedEdgeState | undefined, b: ListedEdgeState | undefined): boolean =>
  a?.time === b?.time && a?.number === b?.number && a?.deletedNumber === b?.deletedNumber

/** Finds recovery notes and purges that nobody completes. */
export class UnfinishedWrites {
  readonly #sender: CommandSender
  readonly #keys: RedisKeys

  constructor(sender: CommandSender, keys: RedisKeys) {
    this.#sender = sender
    this.#keys = keys
  }

  /** Returns the unfinished writes of an id, and otherwise its notes and purges, which are no errors. */
  async read(
    id: NodeId,
  ): Promise<{ readonly findings: readonly Finding[]; readonly leftovers: readonly Finding[] }> {
    const state = await readIdState(this.#sender, this.#keys, id)
    const notes = await this.#readNotes(id, state)
    const purge: readonly Finding[] = state.purges.length > 0 ? [{ kind: 'unfinishedDeletion', id }] : []
    const hasStoppedPurge = state.oldPurges > 0 && (await this.#isPurgeStopped(id, state.purges))
    return {
      findings: [...notes.findings, ...(hasStoppedPurge ? purge : [])],
      leftovers: [...notes.leftovers, ...(hasStoppedPurge ? [] : purge)],
    }
  }

  async #readNotes(
    id: NodeId,
    { noteCount, oldNoteCount, maxOldScore }: IdState,
  ): Promise<{ readonly findings: readonly Finding[]; readonly leftovers: readonly Finding[] }> {
    if (noteCount === 0) return { findings: [], leftovers: [] }
    const leftover = {
      kind: oldNoteCount === 0 ? ('recentNote' as const) : ('unfinishedMirror' as const),
      id,
    }
    let finding: Finding | undefined
    let isDamaged = false
    for await (const saved of readAllNotes(this.#sender, this.#keys, id)) {
      const notes = saved.flatMap(({ text }) => parseNote(text) ?? [])
      if (notes.length < saved.length) isDamaged = true
    }
    for (let offset = 0; oldNoteCount > 0 && finding === undefined; offset += NOTES_PER_PAGE) {
      const page = await readNotes(this.#sender, this.#keys, { source: id, maxScore: maxOldScore }, offset)
      finding = await this.#findUnfinished(id, page)
      if (page.length < NOTES_PER_PAGE) break
    }
    const damaged: readonly Finding[] = isDamaged ? [{ kind: 'damagedNote', id }] : []
    return {
      findings: finding === undefined ? damaged : [finding, ...damaged],
      leftovers: finding === undefined ? [leftover] : [],
    }
  }

  /** Returns the error that one of several notes names; undefined if there is none. */
  async #findUnfinished(id: NodeId, saved: readonly SavedNote[]): Promise<Finding | undefined> {
    for (const { text } of saved) {
      const note = parseNote(text)
      if (note === undefined) continue
      if (note.collections.length > 0 && (await this.#hasUnfinishedEntry(id)))
        return { kind: 'unfinishedEntry', id }
      // The reverse entry of a deleted edge is removed later, and has no effect until then.
      const items = [...note.puts, ...note.deletions.filter(([, , mirrorName]) => mirrorName !== null)]
      for (const item of items)
        if (await this.#staysUnfinished(id, note.generation, item)) return { kind: 'unfinishedMirror', id }
    }
    return undefined
  }

  async #hasUnfinishedEntry(id: NodeId): Promise<boolean> {
    for (const waitMs of WAITS_MS) {
      if (waitMs > 0) await wait(waitMs)
      if (await hasAllEntries(this.#sender, this.#keys, id)) return false
    }
    return true
  }

  async #staysUnfinished(source: NodeId, generation: Generation, item: NoteItem): Promise<boolean> {
    for (const waitMs of WAITS_MS) {
      if (waitMs > 0) await wait(waitMs)
      if (!(await this.#isUnfinished(source, generation, item))) return false
    }
    return true
  }

  /** Whether the second side of an edge differs from its first side, and no recent write explains it. */
  async #isUnfinished(source: NodeId, generation: Generation, item: NoteItem): Promise<boolean> {
    const [name, member, mirrorName] = item
    const [sender, keys] = [this.#sender, this.#keys]
    const sourceRequest = { edges: [{ name, member }], notesAbout: { member, age: 'recent' as const } }
    const first = await readIdState(sender, keys, source, sourceRequest)
    const target = await readIdState(sender, keys, parseMember(member), {
      edges: mirrorName === null ? [] : [{ name: mirrorName, member: toMember(source, generation) }],
      entries: [encodeReverseEntry({ source, generation, name })],
    })
    const firstAgain = await readIdState(sender, keys, source, sourceRequest)
    const [[side], [sideAgain], [second], [hasEntry]] = [
      first.edges,
      firstAgain.edges,
      target.edges,
      target.hasEntries,
    ]
    if (!isSame(side, sideAgain) || first.generation !== firstAgain.generation) return false
    // A recent write, which may still run, explains the difference.
    if (namesEdge([...first.notes, ...firstAgain.notes], { name }, member)) return false
    if (first.generation !== generation)
      return !first.purges.includes(generation) && (hasEntry === true || second?.time !== undefined)
    const targetGeneration = parseMemberGeneration(member)
    if (target.generation !== targetGeneration)
      return !target.purges.includes(targetGeneration) && side?.time !== undefined
    if (mirrorName !== null) return side?.time !== second?.time || side?.number !== second?.number
    return side?.time !== undefined && hasEntry === false
  }

  /** Whether the purges of an id remove nothing for a while. */
  async #isPurgeStopped(id: NodeId, generations: readonly Generation[]): Promise<boolean> {
    const before = await this.#countPurgeEntries(id, generations)
    for (const waitMs of WAITS_MS) {
      await wait(waitMs)
      if ((await this.#countPurgeEntries(id, generations)) !== before) return false
    }
    return (await readIdState(this.#sender, this.#keys, id)).oldPurges > 0
  }

  async #countPurgeEntries(id: NodeId, generations: readonly Generation[]): Promise<number> {
    const keys = this.#keys
    let count = 0
    for (const generation of generations) {
      const [names, entries] = await this.#sender.send([
        createCommand('smembers', keys.deletedListNames(id, generation)),
        createCommand('scard', keys.deletedReverseEntries(id, generation)),
      ])
      const lists = parseListReply(names).map(name =>
        createCommand('zcard', keys.deletedList(id, generation, String(name))),
      )
      for (const size of [entries, ...(await this.#sender.send(lists))]) count += Number(size)
    }
    return count
  }
}
