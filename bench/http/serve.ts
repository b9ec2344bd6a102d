import { createSocialServer } from './social-servers.ts'
import { SERVERS, type ServerName } from './workloads.ts'

const isServer = (name: string): name is ServerName => SERVERS.some(server => server === name)

/** The message that a server sends when it is ready. */
export type Ready = { readonly port: number; readonly tokens: readonly string[] }

/** The kind of usage that a server reports. */
export type UsageRequest = 'work' | 'heap'

/** Returns the processor time of this process in milliseconds. */
const workDone = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Returns the bytes in use after a garbage collection. */
const heapUsed = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/**
 * Runs a server in this process, which the bench has started, and reports the usage of the process on
 * request.
 */
export const serve = async (name: string): Promise<void> => {
  if (!isServer(name))
    throw new TypeError(`bench: the server must be one of ${SERVERS.join(', ')}; received ${name}`)
  const server = await createSocialServer(name)
  const ready: Ready = { port: await server.listen(), tokens: server.tokens }
  process.on('message', (usageRequest: UsageRequest) => {
    process.send?.(usageRequest === 'work' ? workDone() : heapUsed())
  })
  process.once('disconnect', () => process.exit())
  process.send?.(ready)
}
