import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Shutdown } from '../servers/shutdown.ts'
import { temporaryFolder } from '../servers/temporary-folder.ts'
import { changesOf, type Rows } from './change.ts'
import { type Benchmark, buildOver } from './old-benchmark.ts'
import { changeLine } from './report.ts'
import { readResults } from './results.ts'
import { describeSurroundings, findSurroundings } from './surroundings.ts'

const PAIRS = 7

/** Measures rows in a process of their own. @throws Error where it fails. */
const measureIn = async (
  { program, folder }: Benchmark,
  words: readonly string[],
  results: string,
  shutdown: Shutdown,
): Promise<Rows> => {
  const child = spawn(process.execPath, [...process.execArgv, program, '--results', results, ...words], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  shutdown.add(() => child.kill())
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The benchmark in ${folder} ended with ${code}`)
  return readResults(results).rows
}

/** This very program, beside itself: another run may build its own in the meantime. */
const copyOfThis = (shutdown: Shutdown): Benchmark => {
  const program = join(dirname(process.argv[1] ?? ''), `${process.pid}.mjs`)
  copyFileSync(process.argv[1] ?? '', program)
  shutdown.add(() => rmSync(program))
  return { program, folder: process.cwd() }
}

/**
 * Measures rows over the library as it was at a revision and as it is, in pairs of fresh processes: what another layout
 * of memory or another order of compiling does to a process meets both alike. Which of a pair goes first changes.
 */
export const compareRevisions = async (
  revision: string,
  words: readonly string[],
  shutdown: Shutdown,
): Promise<void> => {
  for (const line of describeSurroundings(await findSurroundings())) console.log(line)
  console.log(`against  ${revision}: what was (old) divided by what is (now), within each of ${PAIRS} pairs`)
  const now = copyOfThis(shutdown)
  const old = await buildOver(revision, shutdown)
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
    for (const change of changesOf(name, olds, nows)) console.log(changeLine(change))
  }
}
