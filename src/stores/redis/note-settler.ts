import type { NodeId } from '../../base/ids.ts'
import type { CommandSender, RedisClient } from './command-sender.ts'
import { createCommand, parseListReply } from './commands.ts'
import { parsePurge, type RedisKeys } from './encoding.ts'
import { type DeletedNode, purgeNode } from './node-purge.ts'
import { deleteAgain, type FinishedDeletion } from './node-writer.ts'
import { completeNote, settleNotes } from './note-completion.ts'
import type { OldNotes, SavedNote } from './recovery-note.ts'

/** The numbers of recovery notes and purges that `recover` has completed. */
export type RedisRecovery = { readonly notes: number; readonly purges: number }

/** The time between a write and the removal of its recovery notes, in milliseconds. */
const SETTLE_DELAY_MS = 1000

/** The maximum number of notes that are settled together. */
const NOTES_PER_STEP = 1000

/**
 * The maximum number of notes that a process remembers. Notes that it forgets stay in the store until the
 * next write to their source, or `recover`.
 */
const MAX_NOTES = 200_000

/** The number of notes that are completed at the same time. */
const COMPLETED_AT_ONCE = 100

/** The maximum time that `close` takes, in milliseconds. */
const CLOSE_TIMEOUT_MS = 3000

type PendingNote = SavedNote & {
  /** The servers when the write began; undefined if the write must be completed. */
  readonly servers: string | undefined
  readonly dueAt: number
}

type PendingDeletion = FinishedDeletion & Pick<PendingNote, 'servers' | 'dueAt'>

/**
 * Settles writes in the background. A second after a write, it checks that both sides of each edge are still
 * stored, and removes the recovery notes. If a master was replaced or restarted in the meantime, it may have
 * lost the second sides, and they are written again.
 *
 * An error ends a run. Its notes are tried again in the next run, and stay in the store if the process ends.
 */
export class NoteSettler {
  readonly #client: RedisClient
  readonly #sender: CommandSender
  readonly #keys: RedisKeys
  readonly #notes = new Map<string, PendingNote>()
  readonly #purges = new Map<string, DeletedNode>()
  readonly #deletions = new Set<PendingDeletion>()
  /** The largest scores of the old notes at each source. */
  readonly #oldNotes = new Map<NodeId, string>()
  #servers: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #run: Promise<void> | undefined

  constructor(client: RedisClient, sender: CommandSender, keys: RedisKeys) {
    this.#client = client
    this.#sender = sender
    this.#keys = keys
  }

  /** The masters and their processes, when they were last read. */
  get servers(): string | undefined {
    return this.#servers
  }

  /** Reads the identities of the processes of all masters. */
  async readServers(): Promise<string> {
    const servers = this.#client.nodes?.('master') ?? [this.#client]
    const infos = await Promise.all(servers.map(server => server.call('info', ['server'])))
    this.#servers = infos
      .map(info => /run_id:(\w+)/.exec(String(info))?.[1])
      .sort()
      .join()
    return this.#servers
  }

  /**
   * Adds the notes of a write that began when the masters were `servers`. `servers` is undefined if the second
   * sides may be unfinished.
   */
  addNotes(notes: readonly SavedNote[], servers: string | undefined): void {
    const dueAt = Date.now() + SETTLE_DELAY_MS
    for (const note of notes) this.#addNote({ ...note, servers, dueAt })
    this.#schedule(SETTLE_DELAY_MS)
  }

  /** Adds the node deletions of a finished write that began when the masters were `servers`. */
  addDeletions(deletions: readonly FinishedDeletion[], servers: string | undefined): void {
    const dueAt = Date.now() + SETTLE_DELAY_MS
    if (this.#deletions.size < MAX_NOTES)
      for (const deletion of deletions) this.#deletions.add({ ...deletion, servers, dueAt })
    this.#schedule(SETTLE_DELAY_MS)
  }

  /** Adds the notes and purges that another process has left unfinished. */
  addUnfinished(oldNotes: readonly OldNotes[], purges: readonly DeletedNode[]): void {
    for (const { source, maxScore } of oldNotes) this.#oldNotes.set(source, maxScore)
    for (const node of purges) this.#purges.set(`${node.id} ${node.generation}`, node)
    if (oldNotes.length + purges.length > 0) this.#schedule(0)
  }

  /**
   * Settles all notes now, if that is possible in a few seconds. Ignores errors, because the notes stay in
   * the store.
   */
  close(): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)
      this.#settleAll().then(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  async #settleAll(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#run
    for (const [key, note] of this.#notes) this.#notes.set(key, { ...note, dueAt: 0 })
    // Deletions need no check before their time: without a failover, there is nothing to do.
    await this.#settle().catch(() => undefined)
  }

  /** Completes all notes and purges of one id. */
  async recover(id: NodeId): Promise<RedisRecovery> {
    const notes = await this.#completeNotes({ source: id, maxScore: '+inf' })
    const [reply] = await this.#sender.send([
      createCommand('zrange', this.#keys.pendingPurges(id), '0', '-1'),
    ])
    const purges = parseListReply(reply).map(text => ({ id, generation: parsePurge(String(text)) }))
    for (const node of purges) await purgeNode(this.#sender, this.#keys, node)
    return { notes, purges: purges.length }
  }

  /** Completes old notes, and returns their number. A note whose edges change in the meantime is due later. */
  async #completeNotes({ source, maxScore }: OldNotes): Promise<number> {
    const [reply] = await this.#sender.send([
      createCommand('zrangebyscore', this.#keys.recoveryNotes(source), '-inf', maxScore),
    ])
    const notes = parseListReply(reply).map(text => ({ source, text: String(text) }))
    for (let start = 0; start < notes.length; start += COMPLETED_AT_ONCE)
      await Promise.all(
        notes.slice(start, start + COMPLETED_AT_ONCE).map(async note => {
          if (!(await completeNote(this.#sender, this.#keys, note))) this.addNotes([note], undefined)
        }),
      )
    return notes.length
  }

  #addNote(note: PendingNote): void {
    const key = toNoteKey(note)
    if (this.#notes.size < MAX_NOTES && !this.#notes.has(key)) this.#notes.set(key, note)
  }

  #schedule(delayMs: number): void {
    if (this.#run !== undefined || !this.#hasWork) return
    if (this.#timer !== undefined && delayMs > 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#run = this.#settle()
        .catch(() => undefined)
        .finally(() => {
          this.#run = undefined
          this.#schedule(SETTLE_DELAY_MS)
        })
    }, delayMs)
    // The timer must not keep the process alive: the notes stay in the store.
    this.#timer.unref()
  }

  get #hasWork(): boolean {
    return [this.#notes, this.#deletions, this.#oldNotes, this.#purges].some(({ size }) => size > 0)
  }

  async #settle(): Promise<void> {
    const now = Date.now()
    const dueNotes = [...this.#notes.values()].filter(({ dueAt }) => dueAt <= now)
    const dueDeletions = [...this.#deletions].filter(({ dueAt }) => dueAt <= now)
    if (dueNotes.length + dueDeletions.length > 0) {
      const servers = await this.readServers()
      for (const deletion of dueDeletions) {
        if (deletion.servers !== servers) await deleteAgain(this.#sender, this.#keys, deletion)
        this.#deletions.delete(deletion)
      }
      for (let start = 0; start < dueNotes.length; start += NOTES_PER_STEP)
        await this.#settleNotes(dueNotes.slice(start, start + NOTES_PER_STEP), servers)
    }
    for (const [source, maxScore] of this.#oldNotes) {
      await this.#completeNotes({ source, maxScore })
      if (this.#oldNotes.get(source) === maxScore) this.#oldNotes.delete(source)
    }
    for (const [key, node] of this.#purges) {
      await purgeNode(this.#sender, this.#keys, node)
      this.#purges.delete(key)
    }
  }

  async #settleNotes(notes: readonly PendingNote[], servers: string): Promise<void> {
    const isStored = (note: PendingNote) => note.servers === servers
    const changedNotes = await settleNotes(this.#sender, this.#keys, notes.filter(isStored))
    const remainingNotes = new Set(changedNotes)
    for (const note of [...changedNotes, ...notes.filter(note => !isStored(note))])
      if (await completeNote(this.#sender, this.#keys, note)) remainingNotes.delete(note)
      else remainingNotes.add(note)
    for (const note of notes) if (!remainingNotes.has(note)) this.#notes.delete(toNoteKey(note))
  }
}

const toNoteKey = ({ source, text }: SavedNote): string => `${source} ${text}`
