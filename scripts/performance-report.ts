/**
 * Creates `docs/performance.md` and its plots from a file of measurements. The default is the newest file in
 * `bench/results`.
 *
 *     npm run report [-- bench/results/COMMIT.json]
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readResults, resultsPath } from '../bench/measure/results.ts'
import { renderPerformancePage } from './performance/page.ts'
import { createPlots } from './performance/plots.ts'

const ROOT = resolve(import.meta.dirname, '..')
const DOCS = join(ROOT, 'docs')
const COMMENTARY = join(import.meta.dirname, 'performance/commentary.md')

const newest = (): string => {
  const folder = join(ROOT, 'bench/results')
  const files = readdirSync(folder).filter(name => name.endsWith('.json'))
  const [file] = files
    .map(name => join(folder, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (file === undefined) throw new TypeError('bench/results must contain a file: run npm run bench first')
  return file
}

const results = readResults(process.argv[2] ?? newest())
const plots = createPlots(results)
for (const { file, svg } of plots) writeFileSync(join(DOCS, file), svg)
const page = renderPerformancePage(
  results,
  resultsPath(results.commit),
  plots,
  readFileSync(COMMENTARY, 'utf8'),
)
writeFileSync(join(DOCS, 'performance.md'), page)
