import {
  type AddressesBySlot,
  type Command,
  type CommandGroup,
  type CommandReply,
  groupByClusterNode,
  type ScriptCommand,
  unwrapReplies,
} from './commands.ts'
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
  readonly slots?: AddressesBySlot
  /** Only for a cluster: clients of its masters. */
  nodes?(role: 'master'): readonly Pick<RedisClient, 'call'>[]
  /** The prefix that the client adds to every key. */
  readonly options?: { readonly keyPrefix?: string | undefined }
}

/**
 * The last command of each pipeline to a cluster. While a slot moves, a node may redirect one command of a
 * pipeline. If all other commands are read-only, the client sends the whole pipeline to the other node, which
 * lacks the keys that have not moved yet. `ping` is not a read-only command, so it prevents that.
 */
const PING_COMMAND = ['ping']

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

/** The error of a command that the master has executed, but no replica has confirmed in time. */
export class UnreplicatedError extends Error {
  constructor() {
    super(`no replica confirmed the command within ${REPLICA_TIMEOUT_MS} ms`)
  }
}

/** The maximum time that a command waits for a replica, in milliseconds. */
const REPLICA_TIMEOUT_MS = 1000

/**
 * The last command of each pipeline that waits for a replica. It is sent over the connection of the other
 * commands, because it waits only for commands of its own connection.
 */
const WAIT_COMMAND = ['wait', '1', `${REPLICA_TIMEOUT_MS}`]

/**
 * Sends commands in one pipeline per node of a cluster. A command that failed in a pipeline is sent again,
 * alone. A single command is sent without a pipeline, which takes the client only half of the time.
 */
export class CommandSender {
  readonly #client: RedisClient
  readonly #waitsForReplica: boolean
  /** The hashes of scripts, as the server returned them. */
  readonly #scriptHashes: Map<string, string>

  constructor(client: RedisClient, waitsForReplica = false, scriptHashes = new Map<string, string>()) {
    this.#client = client
    this.#waitsForReplica = waitsForReplica
    this.#scriptHashes = scriptHashes
  }

  /** Returns a sender whose commands fail with an {@link UnreplicatedError} unless a replica confirms them. */
  waitingForReplica(): CommandSender {
    return new CommandSender(this.#client, true, this.#scriptHashes)
  }

  async loadScripts(scripts: readonly string[] = SCRIPTS): Promise<void> {
    const loadScript = async (script: string) => {
      this.#scriptHashes.set(script, String(await this.#client.call('script', ['LOAD', script])))
    }
    await Promise.all(scripts.map(loadScript))
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
      if (onlyCommand !== undefined && commands.length === 1 && !this.#waitsForReplica)
        return [[null, await this.#sendAlone(onlyCommand)]]
      const encodedCommands = commands.map(command => this.#encodeCommand(command))
      if (this.#waitsForReplica) encodedCommands.push(WAIT_COMMAND)
      else if (this.isCluster) encodedCommands.push(PING_COMMAND)
      const replies = await this.#client.pipeline(encodedCommands).exec()
      const isConfirmed = !this.#waitsForReplica || Number(replies?.[commands.length]?.[1]) >= 1
      return commands.map((_, index): CommandReply => {
        const reply = replies?.[index] ?? [new Error('the client returned no reply')]
        return reply[0] === null && !isConfirmed ? [new UnreplicatedError()] : reply
      })
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
   * of a pipeline. Sending a command twice is harmless: most commands are idempotent, or know their batch. A side
   * of a mirrored edge whose script gives it a number gets a larger one, with the same content. If the number
   * depends on the last one, the script does not write the side again, and the recovery note compares both sides
   * later.
   */
  async #retry(command: Command, error: unknown): Promise<CommandReply> {
    if (error instanceof UnreplicatedError) return [error]
    const reply = await this.#retryAlone(command, error)
    if (!this.#waitsForReplica || reply[0] !== null) return reply
    // The client now knows the right node, and only a pipeline can wait for its replica.
    const [confirmedReply] = await this.#sendOnce([command])
    return confirmedReply ?? reply
  }

  async #retryAlone(command: Command, error: unknown): Promise<CommandReply> {
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
