/**
 * Compares the work of a few paths with limits, to detect increases:
 *
 *     npm run guard [-- --accept]
 *
 * The guard counts allocated bytes, created promises and store reads. These figures are the same in every
 * run, even on a busy machine, unlike times. With `--accept`, the current figures become the limits.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { compareWork, comparisonLine, type PathWork } from './compare-work.ts'

/**
 * Flags that make the counts reproducible. They turn off other threads and optimizing compilers (which remove
 * allocations), and provide enough memory for all allocations.
 */
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

/** The major version of Node.js. The sizes of objects depend on it. */
const [LINE = ''] = process.versions.node.split('.')

type Limits = { readonly node: string; readonly paths: PathWork }

const readLimits = async (): Promise<Limits> => JSON.parse(await readFile(LIMITS, 'utf8'))

/** Measures the bundled code in a separate process. */
const measure = async (): Promise<PathWork> => {
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

const checkLimits = (measured: PathWork, { node, paths }: Limits): void => {
  const isSameLine = node === LINE
  const compared = compareWork(
    measured,
    paths,
    isSameLine ? ['bytes', 'promises', 'reads'] : ['promises', 'reads'],
  )
  console.log(`${'path'.padEnd(38)}${'a call'.padEnd(9)}${'now'.padStart(9)}${'limit'.padStart(9)}`)
  for (const comparison of compared) console.log(comparisonLine(comparison))
  if (!isSameLine) console.log(`Bytes are only compared on Node ${node}; this is Node ${LINE}.`)
  if (compared.some(({ result }) => result === 'grown' || result === 'gone')) {
    console.error(`
A path does more work than before, or is no longer measured. To accept this: npm run guard -- --accept, and explain it in the commit.`)
    process.exitCode = 1
  } else if (compared.some(({ result }) => result === 'less')) {
    console.log('\nA path does less work than before. To lower its limit: npm run guard -- --accept')
  }
}

const { values } = parseArgs({ options: { accept: { type: 'boolean', default: false } } })
const measured = await measure()
if (values.accept) {
  await writeFile(
    LIMITS,
    `${JSON.stringify({ node: LINE, paths: measured } satisfies Limits, undefined, 2)}\n`,
  )
  console.log(`Wrote ${LIMITS}`)
} else {
  checkLimits(measured, await readLimits())
}
