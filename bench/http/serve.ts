import { createSocialServer } from './social-servers.ts'
import { SERVERS, type ServerName } from './workloads.ts'

const isServer = (name: string): name is ServerName => SERVERS.some(server => server === name)

/** What a server says when it is ready. */
export type Ready = { readonly port: number; readonly tokens: readonly string[] }

/** What a server has used so far: milliseconds of the processor, and bytes. */
export type Used = { readonly work: number; readonly heap: number }

/** Serves in this process, which the bench started for it, and answers whoever asks what it has used. */
export const serve = async (name: string): Promise<void> => {
  if (!isServer(name))
    throw new TypeError(`bench: expected a server among ${SERVERS.join(', ')}, came ${name}`)
  const server = await createSocialServer(name)
  const ready: Ready = { port: await server.listen(), tokens: server.tokens }
  process.on('message', () => {
    globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    const used: Used = { work: (user + system) / 1000, heap: process.memoryUsage().heapUsed }
    process.send?.(used)
  })
  process.once('disconnect', () => process.exit())
  process.send?.(ready)
}
