import { type Command, command } from './command.ts'
import { listOf, type Sender } from './sender.ts'

/** Reads the reply to a command, once its round was sent. */
export type Reply = () => unknown

/** Texts that are asked in one command, so that none holds up the server. */
const MOST_TEXTS = 5000

const NO_TEXTS: readonly unknown[] = []

/** Commands that do not wait for each other: one pipeline for each node of a cluster. */
export class Round {
  readonly #sender: Sender
  readonly #commands: Command[] = []
  readonly #keys: string[] = []
  #replies: readonly unknown[] = []
  #texts: readonly unknown[] = []

  constructor(sender: Sender) {
    this.#sender = sender
  }

  ask(command: Command): Reply {
    const place = this.#commands.push(command) - 1
    return () => this.#replies[place]
  }

  /** Asks for the texts of keys; where there is none, comes what is no text. */
  askTexts(keys: readonly string[]): () => readonly unknown[] {
    const start = this.#keys.length
    for (const key of keys) this.#keys.push(key)
    return () => this.#texts.slice(start, start + keys.length)
  }

  /** Asks the same of each of many texts, once where one comes twice. */
  askEach(texts: Iterable<string>, toCommand: (text: string) => Command): ReadonlyMap<string, Reply> {
    const replies = new Map<string, Reply>()
    for (const text of texts) if (!replies.has(text)) replies.set(text, this.ask(toCommand(text)))
    return replies
  }

  async send(): Promise<void> {
    const texts = this.#textCommands()
    const replies = await this.#sender.send(texts.concat(this.#commands))
    const read = replies.slice(0, texts.length)
    // To put 30 texts into one list by flatMap takes longer than all else that is done for them here.
    this.#texts = this.#sender.isCluster ? read : NO_TEXTS.concat(...read.map(listOf))
    this.#replies = replies.slice(texts.length)
  }

  /** Of a single server many texts are asked in one command, which costs both ends a fraction of many. */
  #textCommands(): readonly Command[] {
    const keys = this.#keys
    if (this.#sender.isCluster) return keys.map(key => command('get', key))
    const commands: Command[] = []
    for (let at = 0; at < keys.length; at += MOST_TEXTS) {
      const args = keys.slice(at, at + MOST_TEXTS)
      commands.push({ key: keys[at] ?? '', name: 'mget', args })
    }
    return commands
  }
}
