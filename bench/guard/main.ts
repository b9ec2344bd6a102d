/**
 * Holds the work of a handful of paths to limits, so that no change makes them cost more unnoticed:
 *
 *     npm run guard [-- --accept]
 *
 * It counts bytes allocated, promises made and reads of the store: figures that are the same in every run, on a busy
 * machine too, where times are not. `--accept` makes what the paths take now their limits.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { compareWork, comparisonLine, type Taken } from './verdict.ts'

/** Without compilers, which leave out what they can, without other threads, and with room for all that is allocated. */
const FLAGS = [
  '--no-opt',
  '--no-sparkplug',
  '--no-lazy-feedback-allocation',
  '--single-threaded',
  '--min-semi-space-size=128',
  '--max-semi-space-size=128',
  '--hash-seed=1',
  '--random-seed=1',
  '--expose-gc',
]

const LIMITS = 'bench/guard/limits.json'

/** The release line of Node that runs this: how many bytes an object takes is up to its engine. */
const [LINE = ''] = process.versions.node.split('.')

type Limits = { readonly node: string; readonly paths: Taken }

const readLimits = async (): Promise<Limits> => JSON.parse(await readFile(LIMITS, 'utf8'))

/** Measures in a process of its own, which runs the code as it is bundled. */
const measure = async (): Promise<Taken> => {
  const folder = await mkdtemp(join(tmpdir(), 'kithgraph-guard-'))
  try {
    const outfile = join(folder, 'measure.mjs')
    await build({
      entryPoints: ['bench/guard/measure.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
      outfile,
    })
    return JSON.parse(execFileSync(process.execPath, [...FLAGS, outfile], { encoding: 'utf8' }))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const hold = (taken: Taken, { node, paths }: Limits): void => {
  const isSameLine = node === LINE
  const compared = compareWork(
    taken,
    paths,
    isSameLine ? ['bytes', 'promises', 'reads'] : ['promises', 'reads'],
  )
  console.log(`${'path'.padEnd(38)}${'a call'.padEnd(9)}${'now'.padStart(9)}${'limit'.padStart(9)}`)
  for (const comparison of compared) console.log(comparisonLine(comparison))
  if (!isSameLine) console.log(`Bytes are held on Node ${node} alone; this is Node ${LINE}.`)
  if (compared.some(({ verdict }) => verdict === 'grown' || verdict === 'gone')) {
    console.error(`
A path takes more than it did, or is measured no more. If that is worth it: npm run guard -- --accept, and say why in the commit.`)
    process.exitCode = 1
  } else if (compared.some(({ verdict }) => verdict === 'less')) {
    console.log('\nA path takes less than it did. To keep it so: npm run guard -- --accept')
  }
}

const { values } = parseArgs({ options: { accept: { type: 'boolean', default: false } } })
const taken = await measure()
if (values.accept) {
  await writeFile(LIMITS, `${JSON.stringify({ node: LINE, paths: taken } satisfies Limits, undefined, 2)}\n`)
  console.log(`Wrote ${LIMITS}`)
} else {
  hold(taken, await readLimits())
}
