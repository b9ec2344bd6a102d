import { describe } from '../../base/describe.ts'
import type { Command } from './command.ts'
import { slotOf } from './key-slot.ts'
import type { RedisClient } from './redis-client.ts'
import { SCRIPTS } from './scripts.ts'

/** What became of a command: its error, which is null where there is none, or its reply. */
export type Outcome = readonly [error: unknown, value?: unknown]

/**
 * Ends each pipeline to a cluster. One of reads alone, a client sends to another node as a whole where a part of it was
 * redirected while a slot moves, and that node has nothing of the keys that have not moved yet.
 */
const NO_READ = ['ping']

type Slots = NonNullable<RedisClient['slots']>

/** Servers forget scripts when they restart, and a promoted replica may never have seen one. */
const isUnknownScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT')

const scriptArgs = (command: Extract<Command, { script: string }>): string[] => [
  `${command.keys.length}`,
  ...command.keys,
  ...command.args,
]

/**
 * By node of a cluster the places of its commands. A client groups the slots by all addresses that serve them, and takes
 * one group in a pipeline.
 */
const placesByNode = (
  commands: readonly Command[],
  slots: Slots,
  keyPrefix: string,
): readonly (readonly number[])[] => {
  const groups = new Map<string, number[]>()
  for (const [place, { key }] of commands.entries()) {
    const addresses = slots[slotOf(keyPrefix + key)]?.join() ?? ''
    const group = groups.get(addresses)
    if (group === undefined) groups.set(addresses, [place])
    else group.push(place)
  }
  return [...groups.values()]
}

/**
 * Sends commands in one pipeline for each node of a cluster, and what a pipeline could not do once more alone. A single
 * command goes without a pipeline, which costs the client half as much.
 */
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

  get isCluster(): boolean {
    return this.#client.slots !== undefined
  }

  /** Answers what each command came to, by position. */
  settle(commands: readonly Command[]): Promise<readonly Outcome[]> {
    const { slots } = this.#client
    if (commands.length === 0) return Promise.resolve([])
    return slots === undefined ? this.#settleGroup(commands) : this.#settleGroups(commands, slots)
  }

  /** Answers what the server replied to each command, by position; throws the first error. */
  async send(commands: readonly Command[]): Promise<readonly unknown[]> {
    return valuesOf(await this.settle(commands))
  }

  async #settleGroups(commands: readonly Command[], slots: Slots): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = []
    const settle = async (places: readonly number[]): Promise<void> => {
      const settled = await this.#settleGroup(places.flatMap(place => commands[place] ?? []))
      settled.forEach((outcome, index) => {
        outcomes[places[index] ?? 0] = outcome
      })
    }
    const { keyPrefix = '' } = this.#client.options ?? {}
    await Promise.all(placesByNode(commands, slots, keyPrefix).map(settle))
    return outcomes
  }

  async #settleGroup(commands: readonly Command[]): Promise<readonly Outcome[]> {
    const outcomes = await this.#exchange(commands)
    if (outcomes.every(([error]) => error === null)) return outcomes
    const again = outcomes.map(async (outcome, place) => {
      const command = commands[place]
      return outcome[0] === null || command === undefined ? outcome : this.#again(command, outcome[0])
    })
    return Promise.all(again)
  }

  /** A client refuses a pipeline as a whole where slots moved since they were grouped. */
  async #exchange(commands: readonly Command[]): Promise<readonly Outcome[]> {
    const lines = commands.map(command => this.#line(command))
    const [only] = lines
    try {
      if (only !== undefined && lines.length === 1) return [[null, await this.#call(only)]]
      if (this.isCluster) lines.push(NO_READ)
      const replies = await this.#client.pipeline(lines).exec()
      return commands.map((_, place) => replies?.[place] ?? [new Error('the client gave no reply')])
    } catch (error) {
      return commands.map(() => [error])
    }
  }

  #call([name = '', ...args]: string[]): PromiseLike<unknown> {
    return this.#client.call(name, args)
  }

  /**
   * A pipeline goes to one node, and is not redirected where only a part of it would be; a command alone is, within the
   * budget of the client for retries and failovers. Sending it twice does no harm: all commands are idempotent.
   */
  async #again(command: Command, error: unknown): Promise<Outcome> {
    try {
      if (!isUnknownScript(error)) {
        if (!this.isCluster) return [error]
        return [null, await this.#call(this.#line(command))]
      }
    } catch (again) {
      if (!isUnknownScript(again)) return [again]
    }
    return this.#evaluate(command)
  }

  async #evaluate(command: Command): Promise<Outcome> {
    if (!('script' in command)) return [new Error(`unknown script in ${command.name}`)]
    try {
      return [null, await this.#client.call('eval', [command.script, ...scriptArgs(command)])]
    } catch (error) {
      return [error]
    }
  }

  #line(command: Command): string[] {
    return 'script' in command
      ? ['evalsha', this.#hashes.get(command.script) ?? '', ...scriptArgs(command)]
      : [command.name, ...command.args]
  }
}

export const valuesOf = (outcomes: readonly Outcome[]): readonly unknown[] =>
  outcomes.map(([error, value]) => {
    if (error !== null) throw error
    return value
  })

/** @throws TypeError where a reply is no list. */
export const listOf = (reply: unknown): readonly unknown[] => {
  if (!Array.isArray(reply)) throw new TypeError(`expected a list from Redis, came ${describe(reply)}`)
  return reply
}
