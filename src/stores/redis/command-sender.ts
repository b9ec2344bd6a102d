import { describeValue } from '../../base/describe.ts'
import { usageErrorAbout } from '../../base/usage-error.ts'
import { computeSlot } from './key-slot.ts'
import { SCRIPTS } from './scripts.ts'

/** Commands that are sent together, as a `pipeline` of ioredis. */
export interface RedisPipeline {
  /** Sends the commands. Resolves to the error or result of each command, by position. */
  exec(): PromiseLike<readonly (readonly [error: Error | null, result?: unknown])[] | null>
}

/** The required part of a client: both `Redis` and `Cluster` of ioredis are assignable. */
export interface RedisClient {
  /** Collects commands. Each is an array of its name, in lower case, and its arguments. */
  pipeline(commands: string[][]): RedisPipeline
  /** Sends one command. The client of a cluster selects the node by the first key, and follows redirects. */
  call(command: string, args: string[]): PromiseLike<unknown>
  /** Only for a cluster: the addresses that serve each of its slots, the master first. */
  readonly slots?: readonly (readonly string[])[]
  /** Only for a cluster: clients of its masters. */
  nodes?(role: 'master'): readonly Pick<RedisClient, 'call'>[]
  /** The prefix that the client adds to every key. */
  readonly options?: { readonly keyPrefix?: string | undefined }
}

/** A command, or a script with its keys and arguments. `key` determines the node of a cluster. */
export type Command =
  | { readonly key: string; readonly name: string; readonly args: readonly string[] }
  | {
      readonly key: string
      readonly script: string
      readonly keys: readonly string[]
      readonly args: readonly string[]
    }

/** Creates a command whose first argument is its only key. */
export const createCommand = (name: string, key: string, ...args: readonly string[]): Command => ({
  key,
  name,
  args: [key, ...args],
})

/** Creates a command that runs a script with at least one key. */
export const createScriptCommand = (
  script: string,
  keys: readonly [string, ...string[]],
  args: readonly string[],
): Command => ({ key: keys[0], script, keys, args })

/** The reply to a command: its error, or null, and its value. */
export type CommandReply = readonly [error: unknown, value?: unknown]

/**
 * The last command of each pipeline to a cluster. While a slot moves, a node may redirect one command of a
 * pipeline. If all other commands are read-only, the client sends the whole pipeline to the other node, which
 * lacks the keys that have not moved yet. `ping` is not a read-only command, so it prevents that.
 */
const PING_COMMAND = ['ping']

type AddressesBySlot = NonNullable<RedisClient['slots']>

type ScriptCommand = Extract<Command, { script: string }>

/**
 * Whether a command failed because the server has not loaded its script. A server loses scripts when it
 * restarts, and a promoted replica may never have loaded them.
 */
const isUnknownScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT')

const encodeScriptArgs = (command: ScriptCommand): string[] => [
  `${command.keys.length}`,
  ...command.keys,
  ...command.args,
]

/** The commands for one node of a cluster, and their indexes among all commands. */
type CommandGroup = { readonly commands: Command[]; readonly indexes: number[] }

/**
 * Groups commands by node of a cluster. A client accepts a pipeline only if the slots of all its commands
 * have the same list of addresses, so there is one group for each of these lists.
 */
const groupByClusterNode = (
  commands: readonly Command[],
  slots: AddressesBySlot,
  keyPrefix: string,
): Iterable<CommandGroup> => {
  const groups = new Map<string, CommandGroup>()
  // Slots with the same addresses share one array. Finding the array is faster than joining its addresses.
  const groupsByAddressList = new Map<AddressesBySlot[number] | undefined, CommandGroup>()
  const findOrCreateGroup = (addressList: AddressesBySlot[number] | undefined): CommandGroup => {
    const addressText = addressList?.join() ?? ''
    const group = groups.get(addressText) ?? { commands: [], indexes: [] }
    groups.set(addressText, group)
    groupsByAddressList.set(addressList, group)
    return group
  }
  for (const [index, command] of commands.entries()) {
    const addressList = slots[computeSlot(keyPrefix + command.key)]
    const group = groupsByAddressList.get(addressList) ?? findOrCreateGroup(addressList)
    group.commands.push(command)
    group.indexes.push(index)
  }
  return groups.values()
}

/**
 * Sends commands in one pipeline per node of a cluster. A command that failed in a pipeline is sent again,
 * alone. A single command is sent without a pipeline, which takes the client only half of the time.
 */
export class CommandSender {
  readonly #client: RedisClient
  /** The hashes of scripts, as the server returned them. */
  readonly #scriptHashes = new Map<string, string>()

  constructor(client: RedisClient) {
    this.#client = client
  }

  async loadScripts(): Promise<void> {
    const loadScript = async (script: string) => {
      this.#scriptHashes.set(script, String(await this.#client.call('script', ['LOAD', script])))
    }
    await Promise.all(SCRIPTS.map(loadScript))
  }

  get isCluster(): boolean {
    return this.#client.slots !== undefined
  }

  /** Returns the reply to each command, by position. */
  sendSettled(commands: readonly Command[]): Promise<readonly CommandReply[]> {
    const { slots } = this.#client
    if (commands.length === 0) return Promise.resolve([])
    return slots === undefined ? this.#sendGroup(commands) : this.#sendGroups(commands, slots)
  }

  /** Returns the value of each reply, by position; throws the first error. */
  async send(commands: readonly Command[]): Promise<readonly unknown[]> {
    return unwrapReplies(await this.sendSettled(commands))
  }

  async #sendGroups(commands: readonly Command[], slots: AddressesBySlot): Promise<readonly CommandReply[]> {
    const replies: CommandReply[] = []
    const sendGroup = async ({ commands: groupCommands, indexes }: CommandGroup): Promise<void> => {
      const groupReplies = await this.#sendGroup(groupCommands)
      for (const [index, reply] of groupReplies.entries()) replies[indexes[index] ?? 0] = reply
    }
    const { keyPrefix = '' } = this.#client.options ?? {}
    await Promise.all(Array.from(groupByClusterNode(commands, slots, keyPrefix), sendGroup))
    return replies
  }

  async #sendGroup(commands: readonly Command[]): Promise<readonly CommandReply[]> {
    const replies = await this.#sendOnce(commands)
    if (replies.every(([error]) => error === null)) return replies
    const retriedReplies = replies.map(async (reply, index) => {
      const command = commands[index]
      return reply[0] === null || command === undefined ? reply : this.#retry(command, reply[0])
    })
    return Promise.all(retriedReplies)
  }

  /**
   * Sends commands once. If slots have moved since the commands were grouped, the client rejects the whole
   * pipeline, and all replies contain this error.
   */
  async #sendOnce(commands: readonly Command[]): Promise<readonly CommandReply[]> {
    const [onlyCommand] = commands
    try {
      if (onlyCommand !== undefined && commands.length === 1)
        return [[null, await this.#sendAlone(onlyCommand)]]
      const encodedCommands = commands.map(command => this.#encodeCommand(command))
      if (this.isCluster) encodedCommands.push(PING_COMMAND)
      const replies = await this.#client.pipeline(encodedCommands).exec()
      return commands.map((_, index) => replies?.[index] ?? [new Error('the client returned no reply')])
    } catch (error) {
      return commands.map(() => [error])
    }
  }

  #sendAlone(command: Command): PromiseLike<unknown> {
    return 'script' in command
      ? this.#client.call('evalsha', this.#encodeScriptCall(command))
      : this.#client.call(command.name, [...command.args])
  }

  /**
   * Sends a command again, alone. The client follows redirects for a single command, but not for one command
   * of a pipeline. Sending a command twice is harmless, because all commands are idempotent.
   */
  async #retry(command: Command, error: unknown): Promise<CommandReply> {
    try {
      if (!isUnknownScript(error)) {
        if (!this.isCluster) return [error]
        return [null, await this.#sendAlone(command)]
      }
    } catch (retryError) {
      if (!isUnknownScript(retryError)) return [retryError]
    }
    return this.#evaluateScript(command)
  }

  async #evaluateScript(command: Command): Promise<CommandReply> {
    if (!('script' in command)) return [new Error(`unknown script in ${command.name}`)]
    try {
      return [null, await this.#client.call('eval', [command.script, ...encodeScriptArgs(command)])]
    } catch (error) {
      return [error]
    }
  }

  #encodeCommand(command: Command): string[] {
    return 'script' in command
      ? ['evalsha', ...this.#encodeScriptCall(command)]
      : [command.name, ...command.args]
  }

  #encodeScriptCall(command: ScriptCommand): string[] {
    return [this.#scriptHashes.get(command.script) ?? '', ...encodeScriptArgs(command)]
  }
}

export const unwrapReplies = (replies: readonly CommandReply[]): readonly unknown[] =>
  replies.map(([error, value]) => {
    if (error !== null) throw error
    return value
  })

/**
 * Asserts that a reply is a list.
 *
 * @throws TypeError if it is not.
 */
export const parseListReply = (reply: unknown): readonly unknown[] => {
  if (!Array.isArray(reply)) throw usageErrorAbout('redis', 'the reply', 'an array', describeValue(reply))
  return reply
}
