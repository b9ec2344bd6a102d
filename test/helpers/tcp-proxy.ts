import { connect, createServer, type Socket } from 'node:net'
import { startServer } from './start-server.ts'

/** A TCP proxy on a free port of this machine that can simulate network failures. */
export type TcpProxy = {
  readonly port: number
  /** The number of connections that the proxy has accepted. */
  readonly connectionCount: () => number
  /** Holds back all data of current and future connections until `restore` is called. */
  stall(): void
  /** Forwards the data that was held back, and all further data. */
  restore(): void
  /** Stops forwarding the data of all current connections forever, but does not close them. */
  halfOpen(): void
  /** Closes all current connections. */
  cut(): void
  /** Calls a function with each piece of data from the server, before it is forwarded. */
  onServerData(listener: ((data: Buffer) => void) | undefined): void
  /** Connects new connections to another port of this machine. */
  redirect(port: number): void
  stop(): Promise<void>
}

/** Both sockets of a connection. If the connection is dead, its data is not forwarded. */
type Pair = { readonly sockets: readonly [Socket, Socket]; isDead: boolean }

/** Starts a proxy to a port of this machine. */
export const startProxy = async (targetPort: number): Promise<TcpProxy> => {
  const pairs = new Set<Pair>()
  let target = targetPort
  let isStalled = false
  let count = 0
  let listener: ((data: Buffer) => void) | undefined

  const update = (pair: Pair): void => {
    for (const socket of pair.sockets)
      if (isStalled || pair.isDead) socket.pause()
      else socket.resume()
  }
  const server = createServer({ pauseOnConnect: true }, client => {
    count++
    const upstream = connect(target, '127.0.0.1')
    const pair: Pair = { sockets: [client, upstream], isDead: false }
    pairs.add(pair)
    client.on('data', data => upstream.write(data))
    upstream.on('data', data => {
      listener?.(data)
      if (!pair.isDead) client.write(data)
    })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        if (pair.isDead) return
        pairs.delete(pair)
        other.destroy()
      })
    }
    update(pair)
  })
  const { port, stop } = await startServer(server)
  const updateAll = (): void => {
    for (const pair of pairs) update(pair)
  }
  const destroyAll = (): void => {
    for (const { sockets } of pairs) for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    connectionCount: () => count,
    stall: () => {
      isStalled = true
      updateAll()
    },
    restore: () => {
      isStalled = false
      updateAll()
    },
    halfOpen: () => {
      for (const pair of pairs) pair.isDead = true
      updateAll()
    },
    cut: destroyAll,
    onServerData: newListener => {
      listener = newListener
    },
    redirect: newPort => {
      target = newPort
    },
    stop: () => {
      destroyAll()
      return stop()
    },
  }
}
