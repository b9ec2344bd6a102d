import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Ready, Used } from './serve.ts'
import type { ServerName } from './workloads.ts'

/** A server in a process of its own, so that what it works is told apart from what its clients do. */
export type ServerProcess = Ready & {
  readonly name: ServerName
  /** What it has used so far, after its garbage is collected. */
  used(): Promise<Used>
}

const told = async <TMessage>(child: ChildProcess): Promise<TMessage> => {
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The server ended with ${code}`)
    }),
  ])
  return message
}

/** Starts one of the servers: this very program, asked to serve. */
export const startServer = async (name: ServerName, shutdown: Shutdown): Promise<ServerProcess> => {
  const child = fork(process.argv[1] ?? '', ['--serve', name], { execArgv: ['--expose-gc'] })
  shutdown.add(() => child.kill())
  const ready = await told<Ready>(child)
  return {
    ...ready,
    name,
    used() {
      child.send('used')
      return told<Used>(child)
    },
  }
}
