import type { NodeId } from '../../base/ids.ts'
import type { Masters } from './masters.ts'
import type { PurgedNode } from './node-purge.ts'
import type { NoteCheck } from './note-removal.ts'
import type { SavedNote } from './recovery-note.ts'

/** A finished write whose result is checked later. */
type PendingWrite = {
  /** The masters when the write began; undefined if it must be completed. */
  servers: string | undefined
  /** The masters at the first reading after the write. Their replicas must have confirmed what they had then. */
  mark: Masters | undefined
  dueAt: number
  failures: number
}

/** A recovery note, and the state in which it can be removed, if its sides were completed. */
export type PendingNote = PendingWrite & { readonly note: SavedNote; check: NoteCheck | undefined }

export type PendingDeletion = PendingWrite & { readonly node: PurgedNode }

/** The maximum size of the notes that a process remembers, in bytes. */
const MAX_NOTE_BYTES = 32_000_000

/** The size of a note without its text, in bytes. */
const NOTE_OVERHEAD = 300

/** The maximum number of deletions that a process remembers, and of commands that have removed their edges. */
const MAX_DELETIONS = 20_000
const MAX_REMOVALS = 20_000

/** How many times a write is checked in vain. Then its notes stay in the store. */
const MAX_FAILURES = 10

const FIRST_RETRY_MS = 1000

const toNoteKey = (source: NodeId, text: string): string => `${source} ${text}`

const createPendingWrite = (servers: string | undefined, dueAt: number): PendingWrite => ({
  servers,
  mark: undefined,
  dueAt,
  failures: 0,
})

/**
 * The notes and deletions that a process remembers, in bounded memory. A note that it forgets stays in the store
 * until another write to its source, or `recover`.
 */
export class PendingWork {
  readonly #notes = new Map<string, PendingNote>()
  readonly #deletions = new Set<PendingDeletion>()
  #noteBytes = 0
  #removals = 0

  get isEmpty(): boolean {
    return this.#notes.size + this.#deletions.size === 0
  }

  get hasNotes(): boolean {
    return this.#notes.size > 0
  }

  /** Adds a note. Returns false if there is no room for it. */
  addNote(note: SavedNote, servers: string | undefined, dueAt: number): boolean {
    const bytes = note.text.length + NOTE_OVERHEAD
    if (this.#noteBytes + bytes > MAX_NOTE_BYTES) return false
    const key = toNoteKey(note.source, note.text)
    if (this.#notes.has(key)) return true
    this.#notes.set(key, { ...createPendingWrite(servers, dueAt), note, check: undefined })
    this.#noteBytes += bytes
    return true
  }

  removeNote({ note: { source, text } }: PendingNote): void {
    if (this.#notes.delete(toNoteKey(source, text))) this.#noteBytes -= text.length + NOTE_OVERHEAD
  }

  addDeletion(node: PurgedNode, servers: string | undefined, dueAt: number): void {
    if (this.#deletions.size >= MAX_DELETIONS) return
    const removals = node.removals.slice(0, MAX_REMOVALS - this.#removals)
    this.#removals += removals.length
    this.#deletions.add({ ...createPendingWrite(servers, dueAt), node: { ...node, removals } })
  }

  removeDeletion(deletion: PendingDeletion): void {
    if (this.#deletions.delete(deletion)) this.#removals -= deletion.node.removals.length
  }

  /** Returns the notes and deletions that are due. */
  findDue(now: number): { readonly notes: PendingNote[]; readonly deletions: PendingDeletion[] } {
    return {
      notes: [...this.#notes.values()].filter(({ dueAt }) => dueAt <= now),
      deletions: [...this.#deletions].filter(({ dueAt }) => dueAt <= now),
    }
  }

  /** Makes all notes due. */
  makeNotesDue(): void {
    for (const note of this.#notes.values()) note.dueAt = 0
  }

  /** Delays a write whose check failed, longer each time. Forgets it after many failures. */
  postpone(write: PendingNote | PendingDeletion, now: number): void {
    write.failures++
    write.dueAt = now + FIRST_RETRY_MS * 2 ** write.failures
    if (write.failures < MAX_FAILURES) return
    if ('note' in write) this.removeNote(write)
    else this.removeDeletion(write)
  }

  clear(): void {
    this.#notes.clear()
    this.#deletions.clear()
    this.#noteBytes = 0
    this.#removals = 0
  }
}
