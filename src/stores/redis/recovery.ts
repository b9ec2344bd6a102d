import type { NodeId } from '../../base/ids.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand, parseListReply } from './commands.ts'
import { parsePurge } from './encoding.ts'
import type { KeyspaceScanner } from './keyspace-scan.ts'
import { purgeNode } from './node-purge.ts'
import { completeNote } from './note-completion.ts'
import type { OldNotes } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'
import { readNotes } from './stored-notes.ts'

/** The numbers of recovery notes and purges that `recover` has completed. */
export type RedisRecovery = { readonly notes: number; readonly purges: number }

/** How many times the notes of a source are completed, if other processes change their edges meanwhile. */
const MAX_ATTEMPTS = 3

/** Completes notes at a source and removes them. Returns the number of notes that it removed. */
export const completeNotes = async (
  sender: CommandSender,
  keys: RedisKeys,
  notes: OldNotes,
): Promise<number> => {
  let completed = 0
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    let remaining = 0
    for (;;) {
      const page = await readNotes(sender, keys, notes, remaining)
      if (page.length === 0) break
      const results = await Promise.all(page.map(note => completeNote(sender, keys, note)))
      const removed = results.filter(isRemoved => isRemoved).length
      completed += removed
      remaining += page.length - removed
    }
    if (remaining === 0) break
  }
  return completed
}

/** Completes the purges of an id. Returns their number. */
const completePurges = async (sender: CommandSender, keys: RedisKeys, id: NodeId): Promise<number> => {
  const [reply] = await sender.send([createCommand('zrange', keys.pendingPurges(id), '0', '-1')])
  const generations = parseListReply(reply).map(text => parsePurge(String(text)))
  for (const generation of generations) await purgeNode(sender, sender, keys, { id, generation })
  return generations.length
}

/** The kinds of the keys of recovery notes and of pending purges. */
const KINDS_TO_RECOVER = ['u', 'p']

/** Completes what the recovery notes and the pending purges of all ids name. */
export const recoverAll = async (
  scanner: KeyspaceScanner,
  sender: CommandSender,
  keys: RedisKeys,
): Promise<RedisRecovery> => {
  let notes = 0
  let purges = 0
  for (const kind of KINDS_TO_RECOVER)
    for await (const page of scanner.scan(kind))
      for (const { id } of page) {
        notes += await completeNotes(sender, keys, { source: id, maxScore: '+inf' })
        purges += await completePurges(sender, keys, id)
      }
  return { notes, purges }
}
