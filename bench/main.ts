/**
 * Times the library beside what else one would use for the work, all in one run:
 *
 *     npm run bench [-- rows… [--large] [--size OBJECTS] [--data ARCHIVE.tar.gz]]
 *     npm run bench -- --against REVISION rows…
 *
 * A row is asked for by its name or by how it begins: `stores` asks for all rows of stores. These start servers of their
 * own on the loopback, and stop them; one of them loads an archive, where it is given. `--large` has the row of growth
 * read a graph of 10,000,000 edges, too; `--size` is how many objects, with eleven edges each, TAO's reads are of.
 *
 * Times are of the process's own work, so that other users of the machine count for little; where a server does a part
 * of the work, they are the clock's. Of every figure the median is printed, and in brackets the quartiles; of a ratio,
 * those of the ratios within each round. A bar that is not met is printed and nothing more.
 *
 * What a row found is kept in `bench/results/COMMIT.json` (or in `--results FILE`) beside what other runs found at that
 * commit; `npm run report` makes `docs/performance.md` from it.
 *
 * `--against` measures rows over the library of another revision, too, in pairs of processes, and prints how many times
 * as much each figure was there. The figures of peers, which no revision of ours changes, tell how far the machine alone
 * moves them.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { holdTemporaryFiles } from '../test/helpers/temporary-files.ts'
import { SOCIAL } from './data/social-data.ts'
import { serve } from './http/serve.ts'
import { compareRevisions } from './measure/against.ts'
import { findingLine } from './measure/report.ts'
import { keepRow, resultsFile } from './measure/results.ts'
import { describeSurroundings, findSurroundings } from './measure/surroundings.ts'
import { createEveryRow } from './rows/every-row.ts'
import type { Row } from './rows/row.ts'
import { Shutdown } from './servers/shutdown.ts'

const { values, positionals: asked } = parseArgs({
  options: {
    against: { type: 'string' },
    data: { type: 'string' },
    large: { type: 'boolean', default: false },
    results: { type: 'string' },
    size: { type: 'string' },
    // For the processes that this one starts.
    serve: { type: 'string' },
  },
  allowPositionals: true,
})
holdTemporaryFiles()
const shutdown = new Shutdown()
const archive = values.data === undefined ? undefined : resolve(values.data)
const objects = values.size === undefined ? undefined : Number(values.size)
if (objects !== undefined && !(Number.isSafeInteger(objects) && objects > 0))
  throw new TypeError(`bench: expected a number of objects as --size, came ${values.size}`)
const rows = createEveryRow(shutdown, { archive, isLarge: values.large, objects })
const isAsked = (row: Row, name: string): boolean => row.name === name || row.name.startsWith(`${name}-`)
const unknown = asked.filter(name => !rows.some(row => isAsked(row, name)))
const known = rows.map(({ name }) => name)
if (unknown.length > 0)
  throw new TypeError(`bench: expected rows among ${known.join(', ')}, came ${unknown.join(', ')}`)

const measureAll = async (): Promise<void> => {
  const surroundings = await findSurroundings()
  for (const line of describeSurroundings(surroundings)) console.log(line)
  console.log(
    `graph    ${SOCIAL.people} people, seed ${SOCIAL.seed}, read by ${SOCIAL.viewers} of them in turn`,
  )
  const file = values.results ?? resultsFile(surroundings.commit)
  for (const row of rows) {
    if (asked.length > 0 && !asked.some(name => isAsked(row, name))) continue
    console.log(`\n${row.title} (${row.name})`)
    const findings = await row.measure()
    for (const finding of findings) console.log(findingLine(finding))
    // A row that has nothing to run on says so and finds nothing.
    if (findings.length > 0) keepRow(file, known, row, surroundings, findings)
    await shutdown.run()
  }
}

/** What a process that measures the same is given. */
const words = [
  ...asked,
  ...(archive === undefined ? [] : ['--data', archive]),
  ...(values.large ? ['--large'] : []),
  ...(values.size === undefined ? [] : ['--size', values.size]),
]

const run = async (): Promise<void> => {
  // Ends a run from outside: what is measured fails then, which nobody needs to hear of.
  const interrupted = new Promise<'interrupted'>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve('interrupted'))
  })
  try {
    const measured =
      values.against === undefined ? measureAll() : compareRevisions(values.against, words, shutdown)
    measured.catch(() => {})
    if ((await Promise.race([measured, interrupted])) === 'interrupted') process.exitCode = 130
  } finally {
    await shutdown.run()
  }
  process.exit()
}

if (values.serve !== undefined) await serve(values.serve)
else await run()
