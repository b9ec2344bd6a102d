import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'

const ROOT = join(import.meta.dirname, '../../../..')

/**
 * Bundles a program of this folder, so that a process that runs it starts in a fraction of the time. The
 * bundle is inside `node_modules`, because it imports packages. It is removed when this process ends.
 */
export const bundleProgram = async (file: string): Promise<string> => {
  const folder = join(ROOT, 'node_modules/.cache/kithgraph-campaigns')
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `${process.pid}-${file.replace(/\.ts$/, '.mjs')}`)
  await build({
    entryPoints: [join(import.meta.dirname, '..', file)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  process.once('exit', () => rmSync(outfile, { force: true }))
  return outfile
}

/** A running process, and the lines that it prints. */
export type Child = {
  /** Kills the process, so that it runs no further instruction. */
  kill(): void
  send(line: string): void
  /** Resolves when the process has ended and all its lines were read: to its exit code, or null if killed. */
  readonly ended: Promise<number | null>
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a bundled program. `onLine` receives each line that it prints, even after it was killed. `node` is the
 * program that runs it.
 */
export const startChild = (
  program: string,
  args: readonly string[],
  onLine: (line: string) => void,
  node = process.execPath,
): Child => {
  const child = spawn(node, ['--no-warnings', program, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  running.add(child)
  child.stdin.on('error', () => undefined)
  const lines = createInterface(child.stdout)
  lines.on('line', onLine)
  const linesEnded = new Promise(resolve => lines.once('close', resolve))
  const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)))
  return {
    kill: () => void child.kill('SIGKILL'),
    send: line => void child.stdin.write(`${line}\n`),
    ended: Promise.all([ended, linesEnded]).then(([code]) => {
      running.delete(child)
      return code
    }),
  }
}
