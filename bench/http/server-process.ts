import { type ChildProcess, fork } from 'node:child_process'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Ready, UsageRequest } from './serve.ts'
import type { ServerName } from './workloads.ts'

/** A server in its own process, so that the measured processor time does not include the clients. */
export type ServerProcess = Ready & {
  readonly name: ServerName
  /** Reads the total processor time of the server in milliseconds, or its bytes in use. */
  readUsage(usageRequest: UsageRequest): Promise<number>
}

const nextMessage = <TMessage>(child: ChildProcess): Promise<TMessage> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`The server ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message: TMessage) => {
      child.off('exit', ended)
      resolve(message)
    })
  })

/** Starts one of the servers: runs this program in a new process, with the option `--serve`. */
export const startServer = async (name: ServerName, shutdown: Shutdown): Promise<ServerProcess> => {
  const child = fork(process.argv[1] ?? '', ['--serve', name], { execArgv: ['--expose-gc'] })
  shutdown.add(() => child.kill())
  const ready = await nextMessage<Ready>(child)
  return {
    ...ready,
    name,
    readUsage(usageRequest) {
      child.send(usageRequest)
      return nextMessage<number>(child)
    },
  }
}
