import type { Server } from 'node:net'

/** Ends a server on Ctrl-C, or when it is told to: what was asked by then is answered first, then the graph is closed. */
export const stopOnSignal = (server: Server, graph: { close(): Promise<void> }): void => {
  const stop = (): void => {
    server.close(() => graph.close())
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
}
