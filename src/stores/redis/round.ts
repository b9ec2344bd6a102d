import { type Command, command } from './command.ts'
import { listOf, type Sender } from './sender.ts'

/** Reads the reply to a command, once its round was sent. */
export type Reply = () => unknown

const textOf = (text: unknown): string | undefined => (typeof text === 'string' ? text : undefined)

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

  /** Asks for the texts of keys, each undefined where there is none. */
  askTexts(keys: readonly string[]): () => readonly (string | undefined)[] {
    const start = this.#keys.length
    this.#keys.push(...keys)
    return () => this.#texts.slice(start, start + keys.length).map(textOf)
  }

  /** Asks the same of each of many texts, once where one comes twice. */
  askEach(texts: Iterable<string>, toCommand: (text: string) => Command): ReadonlyMap<string, Reply> {
    const replies = new Map<string, Reply>()
    for (const text of texts) if (!replies.has(text)) replies.set(text, this.ask(toCommand(text)))
    return replies
  }

  /** Of a single server all texts are asked in one command, which costs both ends a fraction of many. */
  async send(): Promise<void> {
    const [first, ...others] = this.#keys
    if (first === undefined) this.#replies = await this.#sender.send(this.#commands)
    else if (this.#sender.isCluster) {
      const texts = this.#keys.map(key => command('get', key))
      const replies = await this.#sender.send([...texts, ...this.#commands])
      this.#texts = replies.slice(0, texts.length)
      this.#replies = replies.slice(texts.length)
    } else {
      const [texts, ...replies] = await this.#sender.send([
        command('mget', first, ...others),
        ...this.#commands,
      ])
      this.#texts = listOf(texts)
      this.#replies = replies
    }
  }
}
