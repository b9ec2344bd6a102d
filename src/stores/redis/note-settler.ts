import type { NodeId } from '../../base/ids.ts'
import { wait } from '../wait.ts'
import type { CommandSender, RedisClient } from './command-sender.ts'
import { LostDeletion } from './lost-deletion.ts'
import { isReplicated, type Masters, readMasters, requestConfirmations } from './masters.ts'
import { type DeletedNode, type PurgedNode, purgeNode } from './node-purge.ts'
import { completeSides } from './note-completion.ts'
import { removeNotes } from './note-removal.ts'
import { type PendingDeletion, type PendingNote, PendingWork } from './pending-work.ts'
import type { OldNotes, SavedNote } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'
import { NOTES_PER_PAGE, readNotes } from './stored-notes.ts'

/** The time between a write and the first check of its recovery notes, in milliseconds. */
const SETTLE_DELAY_MS = 1000

/** The maximum number of notes that are removed together. */
const NOTES_PER_STEP = 1000
/** The number of notes that are completed at the same time. */
const COMPLETED_AT_ONCE = 100

/** The time between two reads of the old notes of the same source, in milliseconds. */
const ADOPTION_PAUSE_MS = 5000

/** The maximum time that `close` takes, and that of each of its steps, in milliseconds. */
const CLOSE_TIMEOUT_MS = 3000
const CLOSE_STEP_MS = 100

/**
 * Settles writes in the background. It removes the recovery notes of a write as soon as a failover cannot lose
 * the write any more: the masters are the same servers with the same data as before the write, and their
 * replicas have confirmed what the masters had after it. If a master was replaced or restarted in the meantime,
 * it may have lost the second sides, and they are written again first.
 *
 * What cannot be settled is tried again, less and less often, and stays in the store if the process ends.
 */
export class NoteSettler {
  readonly #client: RedisClient
  readonly #sender: CommandSender
  readonly #keys: RedisKeys
  readonly #pending = new PendingWork()
  readonly #purges = new Map<string, DeletedNode>()
  /** The largest scores of the old notes at each source. */
  readonly #oldNotes = new Map<NodeId, string>()
  /** When the old notes of sources were last read. */
  readonly #adoptionTimes = new Map<NodeId, number>()
  #servers: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #run: Promise<void> | undefined
  #isClosed = false

  constructor(client: RedisClient, sender: CommandSender, keys: RedisKeys) {
    this.#client = client
    this.#sender = sender
    this.#keys = keys
  }

  /** The masters when they were last read; undefined if they are unknown. */
  get servers(): string | undefined {
    return this.#servers
  }

  /** Reads the masters for the first writes. If that fails, these writes are compared before they are settled. */
  async open(): Promise<void> {
    this.#isClosed = false
    await this.#readMasters().catch(() => undefined)
  }

  /**
   * Adds the notes of a write that began when the masters were `servers`. `servers` is undefined if the second
   * sides may be unfinished.
   */
  addNotes(notes: readonly SavedNote[], servers: string | undefined): void {
    const dueAt = Date.now() + SETTLE_DELAY_MS
    for (const note of notes) this.#pending.addNote(note, servers, dueAt)
    this.#schedule(SETTLE_DELAY_MS)
  }

  /** Adds the nodes that a finished write has deleted. It began when the masters were `servers`. */
  addDeletions(deletions: readonly PurgedNode[], servers: string | undefined): void {
    const dueAt = Date.now() + SETTLE_DELAY_MS
    for (const deletion of deletions) this.#pending.addDeletion(deletion, servers, dueAt)
    this.#schedule(SETTLE_DELAY_MS)
  }

  /** Adds the notes and purges that another process has left unfinished. */
  addUnfinished(oldNotes: readonly OldNotes[], purges: readonly DeletedNode[]): void {
    for (const { source, maxScore } of oldNotes) this.#oldNotes.set(source, maxScore)
    for (const node of purges) this.#purges.set(`${node.id} ${node.generation}`, node)
    if (oldNotes.some(({ source }) => !this.#adoptionTimes.has(source)) || purges.length > 0)
      this.#schedule(0)
    else this.#schedule(SETTLE_DELAY_MS)
  }

  /**
   * Settles all notes now, if that is possible in a few seconds. Ignores errors, because the notes stay in the
   * store. Nothing runs later, until the store is opened again.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)
      this.#settleUntilEmpty()
        .catch(() => undefined)
        .finally(() => {
          clearTimeout(timer)
          resolve()
        })
    })
    this.#pending.clear()
    this.#oldNotes.clear()
    this.#purges.clear()
  }

  async #settleUntilEmpty(): Promise<void> {
    await this.#run
    await this.#settleUnfinished()
    // This reads what the replicas must have.
    await this.#settleNow()
    if (this.#pending.hasNotes) await requestConfirmations(this.#client, CLOSE_STEP_MS)
    for (const end = Date.now() + CLOSE_TIMEOUT_MS; this.#pending.hasNotes && Date.now() < end; ) {
      await this.#settleNow()
      if (this.#pending.hasNotes) await wait(CLOSE_STEP_MS)
    }
  }

  #settleNow(): Promise<void> {
    this.#pending.makeNotesDue()
    return this.#settlePending()
  }

  #schedule(delayMs: number): void {
    const hasWork = !this.#pending.isEmpty || this.#oldNotes.size + this.#purges.size > 0
    if (this.#isClosed || this.#run !== undefined || !hasWork) return
    if (this.#timer !== undefined && delayMs > 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#run = this.#settle().finally(() => {
        this.#run = undefined
        this.#schedule(SETTLE_DELAY_MS)
      })
    }, delayMs)
    // The timer must not keep the process alive: the notes stay in the store.
    this.#timer.unref()
  }

  async #settle(): Promise<void> {
    await this.#settlePending().catch(() => undefined)
    await this.#settleUnfinished()
  }

  /** Returns undefined if the masters cannot be known, and 'unclear' if they are not known now. */
  async #readMasters(): Promise<Masters | 'unclear' | undefined> {
    const reading = await readMasters(this.#client)
    const masters = reading === 'unknown' ? undefined : reading
    this.#servers = masters === 'unclear' ? undefined : masters?.fingerprint
    return masters
  }

  async #settlePending(): Promise<void> {
    // The replicas must confirm what the masters have at a reading after the writes.
    const { notes, deletions } = this.#pending.findDue(Date.now())
    if (notes.length + deletions.length === 0) return
    const masters = await this.#readMasters()
    if (masters === 'unclear') return
    for (const deletion of deletions) await this.#settleDeletion(deletion, masters)
    const current = notes.filter(({ servers }) => masters !== undefined && servers === masters.fingerprint)
    const outdated = notes.filter(({ servers }) => masters === undefined || servers !== masters.fingerprint)
    const settled = current.filter(note => isSettled(note, masters))
    for (const part of divide(settled, NOTES_PER_STEP)) await this.#removeNotes(part)
    for (const part of divide(outdated, COMPLETED_AT_ONCE))
      await Promise.all(part.map(note => this.#completeNote(note, masters)))
  }

  async #settleDeletion(deletion: PendingDeletion, masters: Masters | undefined): Promise<void> {
    if (masters !== undefined && deletion.servers === masters.fingerprint) {
      if (isSettled(deletion, masters)) this.#pending.removeDeletion(deletion)
      return
    }
    const isComplete = await new LostDeletion(this.#sender, this.#keys, deletion.node)
      .complete()
      .catch(() => false)
    if (!isComplete) this.#pending.postpone(deletion, Date.now())
    else if (masters === undefined) this.#pending.removeDeletion(deletion)
    else Object.assign(deletion, { servers: masters.fingerprint, mark: undefined })
  }

  /** Makes both sides of the edges of a note agree. It is removed when replicas have them, if that can be known. */
  async #completeNote(pending: PendingNote, masters: Masters | undefined): Promise<void> {
    try {
      const check = await completeSides(this.#sender, this.#keys, pending.note)
      if (check === undefined) this.#pending.removeNote(pending)
      else Object.assign(pending, { check, servers: masters?.fingerprint, mark: undefined })
      if (check !== undefined && masters === undefined) await this.#removeNotes([pending])
    } catch {
      this.#pending.postpone(pending, Date.now())
    }
  }

  /** Removes notes from the store. A note whose edges have changed must be completed again. */
  async #removeNotes(notes: readonly PendingNote[]): Promise<void> {
    try {
      const removed = await removeNotes(this.#sender, this.#keys, notes)
      for (const [index, note] of notes.entries())
        if (removed[index]) this.#pending.removeNote(note)
        else Object.assign(note, { servers: undefined, check: undefined })
    } catch {
      const [only] = notes
      if (notes.length > 1) await Promise.all(notes.map(note => this.#removeNotes([note])))
      else if (only !== undefined) this.#pending.postpone(only, Date.now())
    }
  }

  /** Purges what others have left, and takes over their old notes. What fails is found by a later write. */
  async #settleUnfinished(): Promise<void> {
    const minTime = this.#isClosed ? Infinity : Date.now() - ADOPTION_PAUSE_MS
    for (const [source, time] of this.#adoptionTimes) if (time < minTime) this.#adoptionTimes.delete(source)
    const sources = [...this.#oldNotes].filter(([source]) => !this.#adoptionTimes.has(source))
    const purges = [...this.#purges.values()]
    this.#purges.clear()
    for (const [source, maxScore] of sources) await this.#adopt({ source, maxScore }).catch(() => undefined)
    for (const node of purges)
      await purgeNode(this.#sender, this.#sender, this.#keys, node).catch(() => undefined)
  }

  async #adopt(notes: OldNotes): Promise<void> {
    this.#oldNotes.delete(notes.source)
    this.#adoptionTimes.set(notes.source, Date.now())
    for (let offset = 0; ; offset += NOTES_PER_PAGE) {
      const page = await readNotes(this.#sender, this.#keys, notes, offset)
      if (!page.every(note => this.#pending.addNote(note, undefined, 0)) || page.length < NOTES_PER_PAGE)
        return
    }
  }
}

const divide = <TItem>(items: readonly TItem[], size: number): readonly (readonly TItem[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(size * index, size * (index + 1)),
  )

/** Whether replicas have a write. The first reading after the write shows what they must have. */
const isSettled = (write: PendingNote | PendingDeletion, masters: Masters | undefined): boolean => {
  if (masters === undefined) return false
  write.mark ??= masters
  return isReplicated(write.mark, masters)
}
