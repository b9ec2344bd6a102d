import type { Server } from 'node:net'

/** Stops a server on Ctrl-C or SIGTERM: completes pending requests, then closes the graph. */
export const stopOnSignal = (server: Server, graph: { close(): Promise<void> }): void => {
  const stop = (): void => {
    server.close(() => graph.close())
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
}
