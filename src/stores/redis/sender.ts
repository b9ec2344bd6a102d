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

type ScriptCommand = Extract<Command, { script: string }>

/** Servers forget scripts when they restart, and a promoted replica may never have seen one. */
const isUnknownScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT')

const scriptArgs = (command: ScriptCommand): string[] => [
  `${command.keys.length}`,
  ...command.keys,
  ...command.args,
]

/** The commands for one node of a cluster, and their places among all. */
type Group = { readonly commands: Command[]; readonly places: number[] }

/**
 * Commands by node of a cluster. A client groups the slots by all addresses that serve them, and takes one group in a
 * pipeline.
 */
const groupByNode = (commands: readonly Command[], slots: Slots, keyPrefix: string): Iterable<Group> => {
  const groups = new Map<string, Group>()
  // Slots that are served alike share their list of addresses, whose text takes longer to make than to find the list.
  const byList = new Map<Slots[number] | undefined, Group>()
  const groupOf = (list: Slots[number] | undefined): Group => {
    const addresses = list?.join() ?? ''
    const group = groups.get(addresses) ?? { commands: [], places: [] }
    groups.set(addresses, group)
    byList.set(list, group)
    return group
  }
  for (const [place, command] of commands.entries()) {
    const list = slots[slotOf(keyPrefix + command.key)]
    const group = byList.get(list) ?? groupOf(list)
    group.commands.push(command)
    group.places.push(place)
  }
  return groups.values()
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
    const settle = async ({ commands: own, places }: Group): Promise<void> => {
      const settled = await this.#settleGroup(own)
      for (const [index, outcome] of settled.entries()) outcomes[places[index] ?? 0] = outcome
    }
    const { keyPrefix = '' } = this.#client.options ?? {}
    await Promise.all(Array.from(groupByNode(commands, slots, keyPrefix), settle))
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
    const [only] = commands
    try {
      if (only !== undefined && commands.length === 1) return [[null, await this.#call(only)]]
      const lines = commands.map(command => this.#line(command))
      if (this.isCluster) lines.push(NO_READ)
      const replies = await this.#client.pipeline(lines).exec()
      return commands.map((_, place) => replies?.[place] ?? [new Error('the client gave no reply')])
    } catch (error) {
      return commands.map(() => [error])
    }
  }

  #call(command: Command): PromiseLike<unknown> {
    return 'script' in command
      ? this.#client.call('evalsha', this.#hashed(command))
      : this.#client.call(command.name, [...command.args])
  }

  /**
   * A pipeline goes to one node, and is not redirected where only a part of it would be; a command alone is, within the
   * budget of the client for retries and failovers. Sending it twice does no harm: all commands are idempotent.
   */
  async #again(command: Command, error: unknown): Promise<Outcome> {
    try {
      if (!isUnknownScript(error)) {
        if (!this.isCluster) return [error]
        return [null, await this.#call(command)]
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
    return 'script' in command ? ['evalsha', ...this.#hashed(command)] : [command.name, ...command.args]
  }

  #hashed(command: ScriptCommand): string[] {
    return [this.#hashes.get(command.script) ?? '', ...scriptArgs(command)]
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
