import type { CommandSender } from './command-sender.ts'
import type { NoteSettler } from './note-settler.ts'
import type { RedisKeys } from './redis-keys.ts'

/** The dependencies of writes. `reader` sends the commands that only read, and `sender` all others. */
export type WriteContext = {
  readonly reader: CommandSender
  readonly sender: CommandSender
  readonly keys: RedisKeys
  readonly settler: NoteSettler
}
