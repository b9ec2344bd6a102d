import { createSocialServer } from './social-servers.ts'
import { SERVERS, type ServerName } from './workloads.ts'

const isServer = (name: string): name is ServerName => SERVERS.some(server => server === name)

/** What a server says when it is ready. */
export type Ready = { readonly port: number; readonly tokens: readonly string[] }

/** What a server is asked for. */
export type Question = 'work' | 'heap'

/** Milliseconds that this process has worked. */
const workDone = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Bytes that are in use, once those that are not are collected. */
const heapUsed = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** Serves in this process, which the bench started for it, and answers whoever asks what it has used. */
export const serve = async (name: string): Promise<void> => {
  if (!isServer(name))
    throw new TypeError(`bench: expected a server among ${SERVERS.join(', ')}, came ${name}`)
  const server = await createSocialServer(name)
  const ready: Ready = { port: await server.listen(), tokens: server.tokens }
  process.on('message', (question: Question) => {
    process.send?.(question === 'work' ? workDone() : heapUsed())
  })
  process.once('disconnect', () => process.exit())
  process.send?.(ready)
}
