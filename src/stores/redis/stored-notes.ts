import type { NodeId } from '../../base/ids.ts'
import type { CommandSender } from './command-sender.ts'
import { createCommand, parseListReply } from './commands.ts'
import type { OldNotes, SavedNote } from './recovery-note.ts'
import type { RedisKeys } from './redis-keys.ts'

/** The number of notes that are read at once. */
export const NOTES_PER_PAGE = 100

/** Reads a page of the notes at a source, from the oldest one. `offset` is the number of notes before it. */
export const readNotes = async (
  sender: CommandSender,
  keys: RedisKeys,
  { source, maxScore }: OldNotes,
  offset: number,
): Promise<readonly SavedNote[]> => {
  const limit = ['LIMIT', `${offset}`, `${NOTES_PER_PAGE}`]
  const [reply] = await sender.send([
    createCommand('zrangebyscore', keys.recoveryNotes(source), '-inf', maxScore, ...limit),
  ])
  return parseListReply(reply).map(text => ({ source, text: String(text) }))
}

/** Reads all notes at a source, page by page. A page may contain notes that others have removed since. */
export async function* readAllNotes(
  sender: CommandSender,
  keys: RedisKeys,
  source: NodeId,
): AsyncGenerator<readonly SavedNote[]> {
  let cursor = '0'
  do {
    const [reply] = await sender.send([
      createCommand('zscan', keys.recoveryNotes(source), cursor, 'count', `${NOTES_PER_PAGE}`),
    ])
    const [next, cells] = parseListReply(reply)
    const texts = parseListReply(cells).filter((_, index) => index % 2 === 0)
    yield texts.map(text => ({ source, text: String(text) }))
    cursor = String(next)
  } while (cursor !== '0')
}
