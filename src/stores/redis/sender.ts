import { describe } from '../../base/describe.ts'
import type { Command } from './command.ts'
import { slotOf } from './key-slot.ts'
import type { RedisClient } from './redis-client.ts'
import { SCRIPTS } from './scripts.ts'

/** What became of a command. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** Servers forget scripts when they restart, and a promoted replica may never have seen one. */
const isUnknownScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT')

const scriptArgs = (command: Extract<Command, { script: string }>): string[] => [
  `${command.keys.length}`,
  ...command.keys,
  ...command.args,
]

/** Sends commands in one pipeline for each node of a cluster, and what a pipeline could not do once more alone. */
export class Sender {
  readonly #client: RedisClient
  /** The hashes of scripts, as the server gave them. */
  readonly #hashes = new Map<string, string>()

  constructor(client: RedisClient) {
    this.#client = client
  }

  async open(): Promise<void> {
    const load = async (script: string) => {
      this.#hashes.set(script, String(await this.#client.call('script', ['LOAD', script])))
    }
    await Promise.all(SCRIPTS.map(load))
  }

  /** Answers what each command came to, by position. */
  async settle(commands: readonly Command[]): Promise<readonly Outcome[]> {
    const outcomes = new Map<Command, Outcome>()
    await Promise.all(this.#byNode(commands).map(group => this.#settleGroup(group, outcomes)))
    return commands.map(command => outcomes.get(command) ?? { error: new Error('the client gave no reply') })
  }

  /** Answers what the server replied to each command, by position; throws the first error. */
  async send(commands: readonly Command[]): Promise<readonly unknown[]> {
    return valuesOf(await this.settle(commands))
  }

  /** A client groups the slots of a cluster by all addresses that serve them, and takes one group in a pipeline. */
  #byNode(commands: readonly Command[]): readonly (readonly Command[])[] {
    const { slots } = this.#client
    if (slots === undefined) return commands.length === 0 ? [] : [commands]
    const groups = new Map<string, Command[]>()
    for (const command of commands) {
      const addresses = slots[slotOf(command.key)]?.join() ?? ''
      const group = groups.get(addresses)
      if (group === undefined) groups.set(addresses, [command])
      else group.push(command)
    }
    return [...groups.values()]
  }

  async #settleGroup(commands: readonly Command[], outcomes: Map<Command, Outcome>): Promise<void> {
    const replies = await this.#pipeline(commands)
    const failed: Promise<void>[] = []
    commands.forEach((command, place) => {
      const [error, value] = replies[place] ?? [new Error('the client gave no reply')]
      if (error === null) outcomes.set(command, { value })
      else failed.push(this.#again(command, error).then(outcome => void outcomes.set(command, outcome)))
    })
    await Promise.all(failed)
  }

  /** A client refuses a pipeline as a whole where slots moved since they were grouped. */
  async #pipeline(commands: readonly Command[]) {
    try {
      return (await this.#client.pipeline(commands.map(command => this.#line(command))).exec()) ?? []
    } catch (error) {
      return commands.map(() => [error] as const)
    }
  }

  /**
   * A pipeline goes to one node, and is not redirected where only a part of it would be; a command alone is, within the
   * budget of the client for retries and failovers. Sending it twice does no harm: all commands are idempotent.
   */
  async #again(command: Command, error: unknown): Promise<Outcome> {
    try {
      if (!isUnknownScript(error)) {
        if (this.#client.slots === undefined) return { error }
        const [name = '', ...args] = this.#line(command)
        return { value: await this.#client.call(name, args) }
      }
    } catch (again) {
      if (!isUnknownScript(again)) return { error: again }
    }
    return this.#evaluate(command)
  }

  async #evaluate(command: Command): Promise<Outcome> {
    if (!('script' in command)) return { error: new Error(`unknown script in ${command.name}`) }
    try {
      return { value: await this.#client.call('eval', [command.script, ...scriptArgs(command)]) }
    } catch (error) {
      return { error }
    }
  }

  #line(command: Command): string[] {
    return 'script' in command
      ? ['evalsha', this.#hashes.get(command.script) ?? '', ...scriptArgs(command)]
      : [command.name, ...command.args]
  }
}

export const valuesOf = (outcomes: readonly Outcome[]): readonly unknown[] =>
  outcomes.map(outcome => {
    if ('error' in outcome) throw outcome.error
    return outcome.value
  })

/** @throws TypeError where a reply is no list. */
export const listOf = (reply: unknown): readonly unknown[] => {
  if (!Array.isArray(reply)) throw new TypeError(`expected a list from Redis, came ${describe(reply)}`)
  return reply
}
