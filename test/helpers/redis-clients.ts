import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { RedisClient } from 'kithgraph/redis'

type RecordedClient = {
  readonly client: RedisClient
  /** The names of the commands of each pipeline. A command without a pipeline counts as a pipeline. */
  readonly pipelines: string[][]
  /** The commands that loaded a script. */
  readonly scriptLoads: string[]
}

/** Creates a client that records the commands of a store. */
export const recordPipelines = (client: RedisClient): RecordedClient => {
  const pipelines: string[][] = []
  const scriptLoads: string[] = []
  const recordingClient: RedisClient = {
    pipeline: commands => {
      pipelines.push(commands.map(([name = '']) => name))
      return client.pipeline(commands)
    },
    call: (command, args) => {
      if (command === 'script') scriptLoads.push(command)
      else if (command !== 'info') pipelines.push([command])
      return client.call(command, args)
    },
    ...(client.slots && { slots: client.slots }),
    ...(client.options && { options: client.options }),
  }
  return { client: recordingClient, pipelines, scriptLoads }
}

/** Whether a command is sent when a store opens, and never by a read or write. */
const isOpening = (name: string | undefined): boolean => name === 'script' || name === 'info'

/** Returns the hash by which a loaded script is called. */
const hashOf = (script: string): string => createHash('sha1').update(script).digest('hex')

type Command = readonly string[]
type Interceptor = <TReply>(send: () => PromiseLike<TReply>) => Promise<TReply>

/** Creates a client that intercepts the first pipeline or command that matches. */
const interceptFirst = (
  client: RedisClient,
  matches: (line: Command) => boolean,
  intercept: Interceptor,
): RedisClient => {
  let done = false
  const run = <TReply>(lines: readonly Command[], send: () => PromiseLike<TReply>): PromiseLike<TReply> => {
    if (done || !lines.some(matches)) return send()
    done = true
    return intercept(send)
  }
  return {
    pipeline: lines => ({ exec: () => run(lines, () => client.pipeline(lines).exec()) }),
    call: (command, args) => run([[command, ...args]], () => client.call(command, args)),
  }
}

type Action = () => PromiseLike<unknown>

const runBefore =
  (act: Action): Interceptor =>
  async send => {
    await act()
    return send()
  }

const runAfter =
  (act: Action): Interceptor =>
  async send => {
    const reply = await send()
    await act()
    return reply
  }

/** Creates a function that returns whether a command runs a script. */
export const matchesScript =
  (script: string) =>
  ([, hash]: Command): boolean =>
    hash === hashOf(script)

/**
 * Creates a client that runs an action once: after the first command that opens no store, before the
 * reply is returned.
 */
export const actAfterFirst = (client: RedisClient, act: Action): RedisClient =>
  interceptFirst(client, ([name]) => !isOpening(name), runAfter(act))

/** Creates a client that runs an action before each pipeline and each command except those that open a store. */
export const actBeforeEach = (client: RedisClient, act: Action): RedisClient => {
  const run = runBefore(act)
  return {
    pipeline: lines => ({ exec: () => run(() => client.pipeline(lines).exec()) }),
    call: (command, args) => {
      const send = () => client.call(command, args)
      return isOpening(command) ? send() : run(send)
    },
  }
}

/** Creates a client that runs an action once: before the first run of a script. */
export const actBeforeScript = (client: RedisClient, script: string, act: Action): RedisClient =>
  interceptFirst(client, matchesScript(script), runBefore(act))

/**
 * Creates a client that runs an action once: after the first run of a script, before the reply is returned.
 */
export const actAfterScript = (client: RedisClient, script: string, act: Action): RedisClient =>
  interceptFirst(client, matchesScript(script), runAfter(act))

/** Creates a client that runs an action once: before the first pipeline or command that names a key. */
export const actBeforeKey = (client: RedisClient, key: string, act: Action): RedisClient =>
  interceptFirst(client, line => line.includes(key), runBefore(act))

/**
 * Creates a client of a process that is killed after the first run of a script, before it has the reply. A server
 * that has not loaded the script receives its text.
 */
export const killAfterScript = (client: RedisClient, script: string): RedisClient => {
  const isRun = ([, text]: Command): boolean => text === hashOf(script) || text === script
  let isKilled = false
  const assertAlive = () => {
    if (isKilled) throw new Error('Connection is closed.')
  }
  return {
    pipeline: lines => ({
      exec: async () => {
        assertAlive()
        const replies = await client.pipeline(lines).exec()
        isKilled ||= lines.some((line, index) => isRun(line) && replies?.[index]?.[0] === null)
        assertAlive()
        return replies
      },
    }),
    call: async (command, args) => {
      assertAlive()
      const reply = await client.call(command, args)
      isKilled ||= isRun([command, ...args])
      assertAlive()
      return reply
    },
    ...(client.slots && { slots: client.slots }),
    ...(client.options && { options: client.options }),
  }
}

/** Creates a client that reports another process of the server, as after a failover. */
export const changeInfo = (
  client: RedisClient,
  info: { readonly runId: string | undefined },
): RedisClient => ({
  pipeline: lines => client.pipeline(lines),
  call: async (command, args) => {
    const reply = await client.call(command, args)
    if (command !== 'info' || info.runId === undefined) return reply
    return String(reply).replace(/run_id:\w+/, `run_id:${info.runId}`)
  },
})

/** The age from which other processes take the write of a recovery note for unfinished, in microseconds. */
const OLD_NOTE_AGE = 10_000_000

/** Makes the recovery notes of a key older, as if their writers had saved them long ago. */
export const makeNotesOld = async (redis: Redis, key: string): Promise<void> => {
  for (const note of await redis.zrange(key, 0, -1)) await redis.zincrby(key, -2 * OLD_NOTE_AGE, note)
}

/**
 * Creates a client whose connection breaks permanently after a number of commands, even within a pipeline.
 */
export const breakAfter = (client: RedisClient, commands: number): RedisClient => {
  let remaining = commands
  const broken = () => new Error('Connection is closed.')
  return {
    pipeline: lines => ({
      exec: async () => {
        const sent = lines.slice(0, remaining)
        remaining -= sent.length
        const replies = sent.length === 0 ? [] : await client.pipeline(sent).exec()
        return [...(replies ?? []), ...lines.slice(sent.length).map(() => [broken()] as const)]
      },
    }),
    call: async (command, args) => {
      if (remaining === 0) throw broken()
      remaining--
      return client.call(command, args)
    },
  }
}

/**
 * Runs concurrent writers so that only one pipeline or command runs at a time. `choose` picks the next writer
 * among those that wait.
 */
export class TurnScheduler {
  readonly #choose: () => number
  readonly #waiting: (() => void)[] = []
  #busy = 0

  constructor(choose: () => number) {
    this.#choose = choose
  }

  /** Runs writers, each with a client that waits for its turn. */
  async run(
    client: RedisClient,
    writers: readonly ((client: RedisClient) => Promise<void>)[],
  ): Promise<void> {
    this.#busy = writers.length
    const own: RedisClient = {
      pipeline: commands => ({
        exec: async () => {
          await this.#turn()
          return client.pipeline(commands).exec()
        },
      }),
      call: async (command, args) => {
        if (!isOpening(command)) await this.#turn()
        return client.call(command, args)
      },
    }
    await Promise.all(writers.map(writer => writer(own).finally(() => this.#rest())))
  }

  #turn(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      this.#rest()
    })
  }

  #rest(): void {
    this.#busy--
    if (this.#busy > 0 || this.#waiting.length === 0) return
    const [next] = this.#waiting.splice(this.#choose() % this.#waiting.length, 1)
    this.#busy = 1
    next?.()
  }
}
