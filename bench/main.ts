/**
 * Times the library beside what else one would use for the work, all in one run:
 *
 *     npm run bench [-- rows…]
 *
 * Times are of the process's own work, so that other users of the machine count for little. Of every figure the median
 * is printed, and in brackets the quartiles; of a ratio, those of the ratios within each round. A bar that is not met is
 * printed and nothing more.
 */
import { createSocialReaders, type SocialReaders } from './contenders/social-readers.ts'
import { SOCIAL } from './data/social-data.ts'
import { findingLine } from './measure/report.ts'
import { describeSurroundings } from './measure/surroundings.ts'
import { createAppIdsRow } from './rows/app-ids.ts'
import { createCompileRow } from './rows/compile.ts'
import { createCoreEntryRow } from './rows/core-entry.ts'
import { createDatedPhotosRow } from './rows/dated-photos.ts'
import { createGetMeRow } from './rows/get-me.ts'
import { createLongListRow } from './rows/long-list.ts'
import { createPhotosRow } from './rows/photos.ts'
import { createPhotosTextRow } from './rows/photos-text.ts'
import { createPoliciesRow } from './rows/policies.ts'
import type { Row } from './rows/row.ts'
import { createSqliteRow } from './rows/stores-sqlite.ts'
import { createVisiblePageRow } from './rows/visible-page.ts'

/** The rows, of which several share readers that are made when the first of them is measured. */
const createRows = (): Row[] => {
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
    createSqliteRow(),
    createCoreEntryRow(),
  ]
}

const rows = createRows()
const asked = process.argv.slice(2)
const unknown = asked.filter(name => !rows.some(row => row.name === name))
if (unknown.length > 0) {
  const known = rows.map(({ name }) => name).join(', ')
  throw new TypeError(`bench: expected rows among ${known}, came ${unknown.join(', ')}`)
}

for (const line of await describeSurroundings()) console.log(line)
console.log(
  `graph    ${SOCIAL.people} people, seed ${SOCIAL.seed}, read by ${SOCIAL.viewers} of them in turn`,
)
for (const { name, title, measure } of rows) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n${title} (${name})`)
  for (const finding of await measure()) console.log(findingLine(finding))
}
