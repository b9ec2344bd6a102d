import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Shutdown } from '../servers/shutdown.ts'
import { temporaryFolder } from '../servers/temporary-folder.ts'
import { compareRows, type Rows } from './change.ts'
import { describeEnvironment, findEnvironment } from './environment.ts'
import { changeLine } from './report.ts'
import { readResults } from './results.ts'
import { type Benchmark, buildAtRevision } from './revision-benchmark.ts'

const PAIRS = 7

/**
 * Measures rows in a separate process.
 *
 * @throws Error if the process fails.
 */
const measureIn = async (
  { program, folder }: Benchmark,
  flags: readonly string[],
  results: string,
  shutdown: Shutdown,
): Promise<Rows> => {
  const child = spawn(process.execPath, [...process.execArgv, program, '--results', results, ...flags], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  shutdown.add(() => child.kill())
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The benchmark in ${folder} ended with ${code}`)
  return readResults(results).rows
}

/** Copies this program, because another run may rebuild it in the meantime. */
const copyOfThis = (shutdown: Shutdown): Benchmark => {
  const program = join(dirname(process.argv[1] ?? ''), `${process.pid}.mjs`)
  copyFileSync(process.argv[1] ?? '', program)
  shutdown.add(() => rmSync(program))
  return { program, folder: process.cwd() }
}

/**
 * Measures rows with the library of a revision and with the current one, in pairs of new processes. So
 * differences in memory layout or compilation order affect both revisions equally. The order within a pair
 * alternates.
 */
export const compareRevisions = async (
  revision: string,
  words: readonly string[],
  shutdown: Shutdown,
): Promise<void> => {
  for (const line of describeEnvironment(await findEnvironment())) console.log(line)
  console.log(`against  ${revision}: the old figure divided by the new one, within each of ${PAIRS} pairs`)
  const now = copyOfThis(shutdown)
  const old = await buildAtRevision(revision, shutdown)
  const folder = temporaryFolder(shutdown)
  const runs = new Map<Benchmark, Rows[]>([
    [old, []],
    [now, []],
  ])
  for (let pair = 0; pair < PAIRS; pair++) {
    process.stderr.write(`pair ${pair + 1} of ${PAIRS}\n`)
    const turns = pair % 2 === 0 ? [...runs] : [...runs].toReversed()
    for (const [benchmark, measured] of turns) {
      const results = join(folder, `${pair}-${benchmark === old ? 'old' : 'now'}.json`)
      measured.push(await measureIn(benchmark, words, results, shutdown))
    }
  }
  const [olds = [], nows = []] = runs.values()
  for (const [name, { title }] of Object.entries(nows[0] ?? {})) {
    console.log(`\n${title} (${name})`)
    for (const change of compareRows(name, olds, nows)) console.log(changeLine(change))
  }
}
