import type { CommandSender } from './command-sender.ts'
import { type Command, createCommand, parseListReply } from './commands.ts'

/** Returns the reply to a command, after its round trip. */
export type ReadReply = () => unknown

/** The maximum number of strings that one command reads, so that it does not block the server. */
const MAX_TEXTS_PER_COMMAND = 5000

const NO_TEXTS: readonly unknown[] = []

/**
 * Commands that do not depend on each other. They are sent together, in one pipeline for each node of a
 * cluster.
 */
export class RoundTrip {
  readonly #sender: CommandSender
  readonly #commands: Command[] = []
  readonly #textKeys: string[] = []
  #replies: readonly unknown[] = []
  #texts: readonly unknown[] = []

  constructor(sender: CommandSender) {
    this.#sender = sender
  }

  enqueue(command: Command): ReadReply {
    const index = this.#commands.push(command) - 1
    return () => this.#replies[index]
  }

  /** Enqueues reads of the strings of keys. The reply for a missing key is not a string. */
  enqueueTexts(keys: readonly string[]): () => readonly unknown[] {
    const start = this.#textKeys.length
    for (const key of keys) this.#textKeys.push(key)
    return () => this.#texts.slice(start, start + keys.length)
  }

  /** Enqueues a command for each text, without duplicates. */
  enqueueEach(texts: Iterable<string>, toCommand: (text: string) => Command): ReadonlyMap<string, ReadReply> {
    const replies = new Map<string, ReadReply>()
    for (const text of texts) if (!replies.has(text)) replies.set(text, this.enqueue(toCommand(text)))
    return replies
  }

  async send(): Promise<void> {
    const textCommands = this.#createTextCommands()
    const replies = await this.#sender.send(textCommands.concat(this.#commands))
    const textReplies = replies.slice(0, textCommands.length)
    // Collecting 30 texts with `flatMap` takes longer than the rest of this function.
    this.#texts = this.#sender.isCluster ? textReplies : NO_TEXTS.concat(...textReplies.map(parseListReply))
    this.#replies = replies.slice(textCommands.length)
  }

  /**
   * Creates the commands that read strings. A single server reads many strings with one command, which is
   * faster for the client and the server.
   */
  #createTextCommands(): readonly Command[] {
    const keys = this.#textKeys
    if (this.#sender.isCluster) return keys.map(key => createCommand('get', key))
    const commands: Command[] = []
    for (let at = 0; at < keys.length; at += MAX_TEXTS_PER_COMMAND) {
      const args = keys.slice(at, at + MAX_TEXTS_PER_COMMAND)
      commands.push({ key: keys[at] ?? '', name: 'mget', args })
    }
    return commands
  }
}
