import type { RedisClient } from 'kithgraph/redis'

type Lines = readonly (readonly string[])[]

/** Called to send the lines of each pipeline or command. Returns its reply. */
type Intercept = <TReply>(lines: Lines, send: () => PromiseLike<TReply>) => PromiseLike<TReply>

/** Called with the result of each line after the reply was received. */
type OnResults = (lines: Lines, results: readonly unknown[]) => void

/** Creates a client that calls functions for each pipeline and each command. */
export const interceptCommands = (
  client: RedisClient,
  intercept: Intercept,
  onResults: OnResults = () => undefined,
): RedisClient => {
  const pipeline: RedisClient['pipeline'] = lines => ({
    exec: async () => {
      const replies = await intercept(lines, () => client.pipeline(lines).exec())
      onResults(
        lines,
        lines.map((_, index) => replies?.[index]?.[1]),
      )
      return replies
    },
  })
  const call: RedisClient['call'] = async (command, args) => {
    const lines = [[command, ...args]]
    const reply = await intercept(lines, () => client.call(command, args))
    onResults(lines, [reply])
    return reply
  }
  if (client.slots === undefined) return { pipeline, call }
  return {
    pipeline,
    call,
    nodes: role => client.nodes?.(role) ?? [],
    // The client of a cluster replaces its slots when they move.
    get slots() {
      return client.slots ?? []
    },
  }
}

/**
 * Creates a client that acts once: before its pipeline or command of that number, from 1. The loading of
 * scripts does not count.
 */
export const actBeforeCommand = (
  client: RedisClient,
  command: number,
  act: () => Promise<void>,
): RedisClient => {
  let sent = 0
  return interceptCommands(client, async (lines, send) => {
    if (lines[0]?.[0] !== 'script' && ++sent === command) await act()
    return send()
  })
}
