/**
 * Measures the library and its alternatives, all in one run:
 *
 *     npm run bench [-- rows… [--large] [--size OBJECTS] [--data ARCHIVE.tar.gz]]
 *     npm run bench -- --against REVISION rows…
 *
 * A row is selected by its name or a prefix: `stores` selects all rows that measure stores. These rows start
 * and stop local servers. One of these rows loads an archive if `--data` is given. `--large` adds a graph of
 * 10,000,000 edges to the row `growth`. `--size` sets the number of objects for the TAO reads. Each object
 * has about eleven edges.
 *
 * Times are processor times of this process, so that other users of the machine have little effect. If a
 * server does part of the work, times are elapsed times. Each line has the median, and the quartiles in
 * brackets. The quartiles of a ratio are those of the ratios within each round. The run prints missed
 * targets, and does not fail because of them.
 *
 * The findings of a row are saved in `bench/results/COMMIT.json` (or in `--results FILE`), together with
 * those of other runs at that commit. `npm run report` creates `docs/performance.md` from that file.
 *
 * `--against` also measures rows with the library of another revision, in pairs of processes, and prints each
 * figure of that revision as a multiple of the current figure. The figures of the alternatives do not depend
 * on our revision, so they show only the effect of the machine.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isolateTemporaryFiles } from '../test/helpers/temporary-files.ts'
import { SOCIAL } from './data/social-data.ts'
import { serve } from './http/serve.ts'
import { compareRevisions } from './measure/compare-revisions.ts'
import { describeEnvironment, findEnvironment } from './measure/environment.ts'
import { findingLine } from './measure/report.ts'
import { resultsPath, saveRow } from './measure/results.ts'
import { createEveryRow } from './rows/every-row.ts'
import type { Row } from './rows/row.ts'
import { Shutdown } from './servers/shutdown.ts'

const { values, positionals: requestedRows } = parseArgs({
  options: {
    against: { type: 'string' },
    data: { type: 'string' },
    large: { type: 'boolean', default: false },
    results: { type: 'string' },
    size: { type: 'string' },
    // An option for the processes that this process starts.
    serve: { type: 'string' },
  },
  allowPositionals: true,
})
isolateTemporaryFiles()
const shutdown = new Shutdown()
const archive = values.data === undefined ? undefined : resolve(values.data)
const objects = values.size === undefined ? undefined : Number(values.size)
if (objects !== undefined && !(Number.isSafeInteger(objects) && objects > 0))
  throw new TypeError(`bench: --size must be a number of objects; received ${values.size}`)
const rows = createEveryRow(shutdown, { archive, isLarge: values.large, objects })
const isRequested = (row: Row, name: string): boolean => row.name === name || row.name.startsWith(`${name}-`)
const unknown = requestedRows.filter(name => !rows.some(row => isRequested(row, name)))
const known = rows.map(({ name }) => name)
if (unknown.length > 0)
  throw new TypeError(`bench: rows must be some of ${known.join(', ')}; received ${unknown.join(', ')}`)

const measureAll = async (): Promise<void> => {
  const surroundings = await findEnvironment()
  for (const line of describeEnvironment(surroundings)) console.log(line)
  console.log(
    `graph    ${SOCIAL.people} people, seed ${SOCIAL.seed}, read by ${SOCIAL.viewers} of them in turn`,
  )
  const file = values.results ?? resultsPath(surroundings.commit)
  for (const row of rows) {
    if (requestedRows.length > 0 && !requestedRows.some(name => isRequested(row, name))) continue
    console.log(`\n${row.title} (${row.name})`)
    const findings = await row.measure()
    for (const finding of findings) console.log(findingLine(finding))
    // A row that cannot run on this machine prints the reason and has no findings.
    if (findings.length > 0) saveRow(file, known, row, surroundings, findings)
    await shutdown.run()
  }
}

/** The arguments for a process that measures the same rows. */
const words = [
  ...requestedRows,
  ...(archive === undefined ? [] : ['--data', archive]),
  ...(values.large ? ['--large'] : []),
  ...(values.size === undefined ? [] : ['--size', values.size]),
]

const run = async (): Promise<void> => {
  // Stops the run on a signal. The current measurement then fails, and its error is not printed.
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
