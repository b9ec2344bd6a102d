/**
 * Makes `docs/performance.md` and its plots from what the bench has measured: the newest file of `bench/results`, or the
 * one that is named.
 *
 *     npm run report [-- bench/results/COMMIT.json]
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readResults, resultsFile } from '../bench/measure/results.ts'
import { performancePage } from './performance/page.ts'
import { plotsOf } from './performance/plots.ts'

const ROOT = resolve(import.meta.dirname, '..')
const DOCS = join(ROOT, 'docs')
const COMMENTARY = join(import.meta.dirname, 'performance/commentary.md')

const newest = (): string => {
  const folder = join(ROOT, 'bench/results')
  const files = readdirSync(folder).filter(name => name.endsWith('.json'))
  const [file] = files
    .map(name => join(folder, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (file === undefined)
    throw new TypeError('expected a file in bench/results, came none: see npm run bench')
  return file
}

const results = readResults(process.argv[2] ?? newest())
const plots = plotsOf(results)
for (const { file, svg } of plots) writeFileSync(join(DOCS, file), svg)
const page = performancePage(results, resultsFile(results.commit), plots, readFileSync(COMMENTARY, 'utf8'))
writeFileSync(join(DOCS, 'performance.md'), page)
