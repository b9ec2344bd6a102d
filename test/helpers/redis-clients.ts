import type { RedisClient } from 'kithgraph/redis'

type Counted = {
  readonly client: RedisClient
  /** The commands of each pipeline that went out, by their names. */
  readonly pipelines: string[][]
  /** The names of the commands that went out alone. */
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
      alone.push(command)
      return client.call(command, args)
    },
    ...(client.slots && { slots: client.slots }),
  }
  return { client: counted, pipelines, alone }
}

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
