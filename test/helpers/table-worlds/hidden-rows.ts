import fc, { type Arbitrary } from 'fast-check'
import { filterRows } from './loaded-entries.ts'
import { shareRows, type TableWorld, TENANTS, tableWorlds } from './rows.ts'

const [TENANT, OTHER_TENANT] = TENANTS

/** The keys of the rows of each table, by which two rows are the same. */
const KEYS = {
  accounts: ({ id }) => `${id}`,
  photos: ({ id }) => `${id}`,
  comments: ({ id }) => id,
  follows: ({ follower, followee }) => `${follower} ${followee}`,
  teams: ({ slug }) => slug,
  memberships: ({ team, account }) => `${team} ${account}`,
  revisions: ({ photo, number }) => `${photo} ${number}`,
} as const satisfies { readonly [TName in keyof TableWorld]: (row: TableWorld[TName][number]) => string }

const addRows = <TRow extends { readonly tenant: number }>(
  shown: readonly TRow[],
  others: readonly TRow[],
  keyOf: (row: TRow) => string,
): readonly TRow[] => {
  const keys = new Set(shown.map(keyOf))
  const hidden = others.filter(row => !keys.has(keyOf(row))).map(row => ({ ...row, tenant: OTHER_TENANT }))
  return [...shown, ...hidden]
}

/** Adds the rows of another world as rows of the other tenant, unless their keys are those of rows that exist. */
const addHiddenRows = (shown: TableWorld, others: TableWorld): TableWorld => ({
  accounts: addRows(shown.accounts, others.accounts, KEYS.accounts),
  photos: addRows(shown.photos, others.photos, KEYS.photos),
  comments: addRows(shown.comments, others.comments, KEYS.comments),
  follows: addRows(shown.follows, others.follows, KEYS.follows),
  teams: addRows(shown.teams, others.teams, KEYS.teams),
  memberships: addRows(shown.memberships, others.memberships, KEYS.memberships),
  revisions: addRows(shown.revisions, others.revisions, KEYS.revisions),
})

/** Two worlds that differ only in rows that no session of the first tenant may see. */
export const worldPairs: Arbitrary<readonly [TableWorld, TableWorld]> = fc
  .tuple(tableWorlds.map(shareRows), tableWorlds)
  .map(([world, others]) => {
    const shown = filterRows(world, TENANT)
    return [shown, addHiddenRows(shown, others)]
  })
