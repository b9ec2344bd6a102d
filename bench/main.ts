/**
 * Times the library beside what else one would use for the work, all in one run:
 *
 *     npm run bench [-- rows… [--data ARCHIVE.tar.gz]]
 *
 * A row is asked for by its name or by how it begins: `stores` asks for all rows of stores. These start servers of their
 * own on the loopback, and stop them; one of them loads an archive, where it is given.
 *
 * Times are of the process's own work, so that other users of the machine count for little; where a server does a part
 * of the work, they are the clock's. Of every figure the median is printed, and in brackets the quartiles; of a ratio,
 * those of the ratios within each round. A bar that is not met is printed and nothing more.
 */
import { parseArgs } from 'node:util'
import { holdTemporaryFiles } from '../test/helpers/temporary-files.ts'
import { createSocialReaders, type SocialReaders } from './contenders/social-readers.ts'
import { SOCIAL } from './data/social-data.ts'
import { serve } from './http/serve.ts'
import { findingLine } from './measure/report.ts'
import { describeSurroundings } from './measure/surroundings.ts'
import { createAppIdsRow } from './rows/app-ids.ts'
import { createCompileRow } from './rows/compile.ts'
import { createCoreEntryRow } from './rows/core-entry.ts'
import { createDatedPhotosRow } from './rows/dated-photos.ts'
import { createGetMeRow } from './rows/get-me.ts'
import { createHttpRow } from './rows/http.ts'
import { createHttpGrowthRow } from './rows/http-growth.ts'
import { createLongListRow } from './rows/long-list.ts'
import { createPhotosRow } from './rows/photos.ts'
import { createPhotosTextRow } from './rows/photos-text.ts'
import { createPoliciesRow } from './rows/policies.ts'
import type { Row } from './rows/row.ts'
import { createClusterRow } from './rows/stores-cluster.ts'
import { createListsRow } from './rows/stores-lists.ts'
import { createLoadRow } from './rows/stores-load.ts'
import { createPostgresRow } from './rows/stores-postgres.ts'
import { createRedisRow } from './rows/stores-redis.ts'
import { createSqliteRow } from './rows/stores-sqlite.ts'
import { createVisiblePageRow } from './rows/visible-page.ts'
import { Shutdown } from './servers/shutdown.ts'

/** The rows, of which several share readers that are made when the first of them is measured. */
const createRows = (shutdown: Shutdown, archive: string | undefined): Row[] => {
  let readers: Promise<SocialReaders> | undefined
  const readersOf = (): Promise<SocialReaders> => {
    readers ??= createSocialReaders()
    return readers
  }
  return [
    createGetMeRow(readersOf),
    createPhotosRow(readersOf),
    createDatedPhotosRow(readersOf),
    createPhotosTextRow(readersOf),
    createCompileRow(),
    createLongListRow(),
    createPoliciesRow(readersOf),
    createVisiblePageRow(),
    createAppIdsRow(readersOf),
    createCoreEntryRow(),
    createHttpRow(shutdown),
    createHttpGrowthRow(shutdown),
    createSqliteRow(shutdown),
    createPostgresRow(shutdown),
    createRedisRow(shutdown),
    createClusterRow(shutdown),
    createListsRow(shutdown),
    createLoadRow(shutdown, archive),
  ]
}

const { values, positionals: asked } = parseArgs({
  // `serve` is for the processes that this one starts.
  options: { data: { type: 'string' }, serve: { type: 'string' } },
  allowPositionals: true,
})
holdTemporaryFiles()
const shutdown = new Shutdown()
const rows = createRows(shutdown, values.data)
const isAsked = (row: Row, name: string): boolean => row.name === name || row.name.startsWith(`${name}-`)
const unknown = asked.filter(name => !rows.some(row => isAsked(row, name)))
if (unknown.length > 0) {
  const known = rows.map(({ name }) => name).join(', ')
  throw new TypeError(`bench: expected rows among ${known}, came ${unknown.join(', ')}`)
}

const measureAll = async (): Promise<void> => {
  for (const line of await describeSurroundings()) console.log(line)
  console.log(
    `graph    ${SOCIAL.people} people, seed ${SOCIAL.seed}, read by ${SOCIAL.viewers} of them in turn`,
  )
  for (const row of rows) {
    if (asked.length > 0 && !asked.some(name => isAsked(row, name))) continue
    console.log(`\n${row.title} (${row.name})`)
    for (const finding of await row.measure()) console.log(findingLine(finding))
    await shutdown.run()
  }
}

const run = async (): Promise<void> => {
  // Ends a run from outside: what is measured fails then, which nobody needs to hear of.
  const interrupted = new Promise<'interrupted'>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve('interrupted'))
  })
  try {
    const measured = measureAll()
    measured.catch(() => {})
    if ((await Promise.race([measured, interrupted])) === 'interrupted') process.exitCode = 130
  } finally {
    await shutdown.run()
  }
  process.exit()
}

if (values.serve !== undefined) await serve(values.serve)
else await run()
