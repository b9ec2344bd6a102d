import type { Command } from './command.ts'
import type { Sender } from './sender.ts'

/** Reads the reply to a command, once its round was sent. */
export type Reply = () => unknown

/** Commands that do not wait for each other: one pipeline for each node of a cluster. */
export class Round {
  readonly #commands: Command[] = []
  #replies: readonly unknown[] = []

  ask(command: Command): Reply {
    const place = this.#commands.push(command) - 1
    return () => this.#replies[place]
  }

  /** Asks the same of each of many texts, once where one comes twice. */
  askEach(texts: Iterable<string>, toCommand: (text: string) => Command): ReadonlyMap<string, Reply> {
    const replies = new Map<string, Reply>()
    for (const text of texts) if (!replies.has(text)) replies.set(text, this.ask(toCommand(text)))
    return replies
  }

  async send(sender: Sender): Promise<void> {
    this.#replies = await sender.send(this.#commands)
  }
}
