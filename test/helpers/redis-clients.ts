import { createHash } from 'node:crypto'
import type { RedisClient } from 'kithgraph/redis'

type Counted = {
  readonly client: RedisClient
  /** The commands that went out at once, by their names: those of each pipeline, and each that went without one. */
  readonly pipelines: string[][]
  /** What was asked of the server itself: to keep a script. */
  readonly alone: string[]
}

/** A client that notes what the store hands to it. */
export const countPipelines = (client: RedisClient): Counted => {
  const pipelines: string[][] = []
  const alone: string[] = []
  const counted: RedisClient = {
    pipeline: commands => {
      pipelines.push(commands.map(([name = '']) => name))
      return client.pipeline(commands)
    },
    call: (command, args) => {
      if (command === 'script') alone.push(command)
      else pipelines.push([command])
      return client.call(command, args)
    },
    ...(client.slots && { slots: client.slots }),
    ...(client.options && { options: client.options }),
  }
  return { client: counted, pipelines, alone }
}

/** What a script is called by, once the server knows it. */
const hashOf = (script: string): string => createHash('sha1').update(script).digest('hex')

type Line = readonly string[]
type Around = <TReply>(send: () => PromiseLike<TReply>) => Promise<TReply>

/** A client that does something once, around the first pipeline or command that it is meant for. */
const aroundFirst = (client: RedisClient, isMeant: (line: Line) => boolean, around: Around): RedisClient => {
  let done = false
  const run = <TReply>(lines: readonly Line[], send: () => PromiseLike<TReply>): PromiseLike<TReply> => {
    if (done || !lines.some(isMeant)) return send()
    done = true
    return around(send)
  }
  return {
    pipeline: lines => ({ exec: () => run(lines, () => client.pipeline(lines).exec()) }),
    call: (command, args) => run([[command, ...args]], () => client.call(command, args)),
  }
}

type Act = () => PromiseLike<unknown>

const before =
  (act: Act): Around =>
  async send => {
    await act()
    return send()
  }

const behind =
  (act: Act): Around =>
  async send => {
    const reply = await send()
    await act()
    return reply
  }

const isScript =
  (script: string) =>
  ([, hash]: Line): boolean =>
    hash === hashOf(script)

/** A client that does something once: behind what it sends first, but for scripts to keep, and before that is answered. */
export const withinFirst = (client: RedisClient, act: Act): RedisClient =>
  aroundFirst(client, ([name]) => name !== 'script', behind(act))

/** A client that does something before each pipeline and each command, but for scripts to keep. */
export const beforeEach = (client: RedisClient, act: Act): RedisClient => {
  const run = before(act)
  return {
    pipeline: lines => ({ exec: () => run(() => client.pipeline(lines).exec()) }),
    call: (command, args) => {
      const send = () => client.call(command, args)
      return command === 'script' ? send() : run(send)
    },
  }
}

/** A client that does something once: before it runs a script for the first time. */
export const beforeScript = (client: RedisClient, script: string, act: Act): RedisClient =>
  aroundFirst(client, isScript(script), before(act))

/** A client that does something once: behind the first run of a script, and before that is answered. */
export const behindScript = (client: RedisClient, script: string, act: Act): RedisClient =>
  aroundFirst(client, isScript(script), behind(act))

/** A client whose connection breaks for good behind as many commands, wherever in a pipeline that is. */
export const breakAfter = (client: RedisClient, commands: number): RedisClient => {
  let left = commands
  const broken = () => new Error('Connection is closed.')
  return {
    pipeline: lines => ({
      exec: async () => {
        const sent = lines.slice(0, left)
        left -= sent.length
        const replies = sent.length === 0 ? [] : await client.pipeline(sent).exec()
        return [...(replies ?? []), ...lines.slice(sent.length).map(() => [broken()] as const)]
      },
    }),
    call: async (command, args) => {
      if (left === 0) throw broken()
      left--
      return client.call(command, args)
    },
  }
}

/**
 * Lets writers that send one pipeline or command at a time take turns: none goes out while another is on its way, and whose is
 * next is chosen among all that wait, by a number.
 */
export class Turns {
  readonly #choose: () => number
  readonly #waiting: (() => void)[] = []
  #busy = 0

  constructor(choose: () => number) {
    this.#choose = choose
  }

  /** Runs what writers do, each with a client of its own. */
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
        if (command !== 'script') await this.#turn()
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
