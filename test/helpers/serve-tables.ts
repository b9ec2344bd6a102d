import { runCommand } from '../../src/cli/run-command.ts'
import { PROJECT } from './run-cli.ts'

/** A running `kithgraph serve`. */
export type ServedTables = {
  /** The URL of the Explorer. */
  readonly url: string
  readonly origin: string
  /** The path of the graph. */
  readonly graphPath: string
  /** The lines that it has printed. */
  readonly lines: readonly string[]
  /** Interrupts the command. Returns its exit status. */
  stop(): Promise<number>
}

/** Runs `kithgraph serve` in this process until it is stopped. */
export const serveTables = async (args: readonly string[]): Promise<ServedTables> => {
  const interruption = new AbortController()
  const lines: string[] = []
  const errors: string[] = []
  let ready = (): void => {}
  const isReady = new Promise<void>(resolve => {
    ready = resolve
  })
  const status = runCommand(['serve', ...args], {
    folder: PROJECT,
    environment: {},
    signal: interruption.signal,
    print: line => {
      lines.push(line)
      ready()
    },
    printError: line => errors.push(line),
  })
  await Promise.race([isReady, status])
  const url = /http:\S+/.exec(lines[0] ?? '')?.[0]
  if (url === undefined) throw new Error(errors.join('\n'))
  const { origin, pathname } = new URL(url)
  return {
    url,
    origin,
    graphPath: pathname.replace(/explorer\/$/, 'graph'),
    lines,
    stop: () => {
      interruption.abort()
      return status
    },
  }
}
