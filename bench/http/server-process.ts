import { type ChildProcess, fork } from 'node:child_process'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Question, Ready } from './serve.ts'
import type { ServerName } from './workloads.ts'

/** A server in a process of its own, so that what it works is told apart from what its clients do. */
export type ServerProcess = Ready & {
  readonly name: ServerName
  /** Milliseconds of the processor that it has used so far, or the bytes that it holds. */
  ask(question: Question): Promise<number>
}

const told = <TMessage>(child: ChildProcess): Promise<TMessage> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`The server ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message: TMessage) => {
      child.off('exit', ended)
      resolve(message)
    })
  })

/** Starts one of the servers: this very program, asked to serve. */
export const startServer = async (name: ServerName, shutdown: Shutdown): Promise<ServerProcess> => {
  const child = fork(process.argv[1] ?? '', ['--serve', name], { execArgv: ['--expose-gc'] })
  shutdown.add(() => child.kill())
  const ready = await told<Ready>(child)
  return {
    ...ready,
    name,
    ask(question) {
      child.send(question)
      return told<number>(child)
    },
  }
}
