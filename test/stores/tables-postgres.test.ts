import fc from 'fast-check'
import { createTableStore } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  AheadStep,
  EdgeEntry,
  EdgeRange,
  RangeResult,
  Store,
  StoreReadOptions,
  StoreReadRequest,
} from '../../src/store/contract.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { positionOf } from '../../src/tables/rows/entry-layout.ts'
import { createRange } from '../../src/testing/records.ts'
import { withAppliedConditions } from '../helpers/applied-conditions.ts'
import { changeReadValues } from '../helpers/change-read-values.ts'
import { withoutLeftOutLists } from '../helpers/left-out-results.ts'
import { ListReference } from '../helpers/list-reference.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { countReported, expectReported } from '../helpers/reported-conditions.ts'
import { STUDIO_SQL } from '../helpers/studio-data.ts'
import { studio } from '../helpers/table-declaration.ts'
import { createReadArbitrary } from '../helpers/table-read-arbitraries.ts'
import { watchPool } from '../helpers/watched-clients.ts'

const numRuns = process.env.KITHGRAPH_LONG ? 3000 : 150

const { '~model': model } = studio.tables
const OPTIONS: StoreReadOptions = {
  signal: undefined,
  deadline: undefined,
  minRevision: undefined,
  session: {
    viewer: undefined,
    app: 'demo',
    scopes: [],
    issuedAt: 0,
    expiresAt: undefined,
    claims: { org: 1 },
  },
}

const OTHER_SESSION = {
  viewer: 'account-8675309867',
  app: "hostile'; --",
  scopes: ['hostile'],
  issuedAt: 8675309,
  expiresAt: undefined,
  claims: { org: 8675309 },
}

let server: PostgresServer
let pool: pg.Pool
let store: Store
let reference: ListReference

/** The ids that rows of the tables may have, with those of deleted rows and of other tenants. */
const findIds = async (): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ id: string }>(`
select 'org-' || id as id from studio.org union all select 'account-' || id from studio.account
union all select 'photo-' || id from studio.photo union all select 'comment-' || id from studio.comment
union all select 'team-' || replace(slug, ' ', '.20') from studio.team
union all select 'revision-' || photo_id || '~' || number from studio.revision`)
  return rows.map(({ id }) => id)
}

beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool()
  await pool.query(STUDIO_SQL)
  store = createTableStore(pool, { tables: studio.tables })
  reference = await ListReference.create(store, model, await findIds(), OPTIONS)
})
afterAll(() => server.stop())

const readRange = async (range: EdgeRange): Promise<RangeResult> => {
  const { ranges } = await store.read({ ...EMPTY_REQUEST, ranges: [range] }, OPTIONS)
  return ranges[0] ?? expect.fail('no result')
}

/** Joins the pages of a list. */
const readPages = async (range: EdgeRange): Promise<readonly string[]> => {
  const targets: string[] = []
  for (let from: EdgeRange['from']; ; ) {
    const { entries, hasMore, lastExamined } = await readRange({ ...range, from })
    targets.push(...entries.map(({ target }) => target))
    if (!hasMore) return targets
    from = lastExamined
  }
}

/** Creates a hint for a list of which two of three entries pass, with all lists and refs below them. */
const createConditionalList = (
  name: string,
  entries: readonly EdgeEntry[],
  maxExamined: number,
): AheadStep => {
  const list = { kind: 'list', direction: 'newest', count: false } as const
  const target = reference.nodes.get(entries[0]?.target ?? '')?.type ?? ''
  const { lists, fields } = model.types.get(target) ?? {}
  const listSteps = [...(lists?.keys() ?? [])].map(below => ({ ...list, name: below, limit: 2 }))
  const refs = [...(fields?.values() ?? [])].filter(({ kind }) => kind === 'ref')
  const refSteps = refs.map(({ name: field }) => ({ kind: 'ref' as const, field }))
  const passing = entries.filter((_, index) => index % 3 !== 1).slice(-20)
  return {
    ...list,
    name,
    limit: 4,
    pageLimit: 2,
    conditions: passing.map(({ target: id }) => ({ kind: 'node', id })),
    maxExamined,
    ahead: new Map([[target, [...listSteps, ...refSteps]]]),
  }
}

describe('a store over the tables of a studio', () => {
  it('contains the rows of the tenant that are not deleted', async () => {
    const { rows } = await pool.query<{ count: number }>(`
select (select count(*) from studio.account where deleted_at is null and org_id = 1)::int
  + (select count(*) from studio.photo where deleted_at is null)::int
  + (select count(*) from studio.comment where deleted_at is null)::int
  + (select count(*) from studio.team)::int + (select count(*) from studio.revision)::int + 1 as count`)
    expect(reference.nodes.size).toBe(rows[0]?.count)
  })

  it('joins pages of one entry to the whole list, in both directions', async () => {
    for (const { source, name, entries } of reference.lists.values()) {
      if (entries.length > 12) continue
      const targets = entries.map(({ target }) => target)
      const range = createRange(source, name, { direction: 'oldest', limit: 1 })
      expect(await readPages(range), `${source} ${name}`).toEqual(targets)
      expect(await readPages({ ...range, direction: 'newest' }), `${source} ${name}`).toEqual(
        targets.toReversed(),
      )
    }
  })

  it('returns the same for a read with conditions, hints and wanted fields as for its parts', async () => {
    let counted = 0
    let reported = 0
    await fc.assert(
      fc.asyncProperty(createReadArbitrary(model, reference), async request => {
        const result = await store.read(request, OPTIONS)
        const whole = reference.read(withAppliedConditions(model, request))
        expectReported(result, withoutLeftOutLists(request, whole, result).expected)
        counted += countReported('passing', result)
        reported += countReported('heldCondition', result)
      }),
      { numRuns },
    )
    // Counts under conditions occur, and conditions that hold.
    expect(counted).toBeGreaterThan(0)
    expect(reported).toBeGreaterThan(0)
  })

  it.each([
    ['few rows', 20],
    ['rows that may be many', 5000],
  ])('leaves out only lists below the entries after a page, of %s', async (_, maxExamined) => {
    let leftOut = 0
    for (const { source, name, entries } of reference.lists.values()) {
      const step = createConditionalList(name, entries, maxExamined)
      const type = reference.nodes.get(source)?.type
      if (type === undefined) continue
      const request = { ...EMPTY_REQUEST, nodes: [source], nodesAhead: [new Map([[type, [step]]])] }
      const result = await store.read(request, OPTIONS)
      const { expected, count } = withoutLeftOutLists(request, reference.read(request), result)
      expectReported(result, expected)
      leftOut += count
    }
    expect(leftOut).toBeGreaterThan(0)
  })

  it('applies conditions to lists that end with rows without a value, from any of their rows', async () => {
    let ranges = 0
    for (const { source, name, entries } of reference.lists.values()) {
      const order = model.types.get(reference.nodes.get(source)?.type ?? '')?.lists.get(name)?.order
      if (order?.nulls !== 'end' || entries.length > 16) continue
      const starts = [undefined, ...entries]
      for (const { target: id } of entries.filter((_, index) => index % 4 === 0))
        for (const from of starts)
          for (const direction of ['newest', 'oldest'] as const) {
            const range = createRange(source, name, {
              direction,
              from: from && positionOf(from),
              limit: 2,
              conditions: [{ kind: 'node', id }],
              maxExamined: 3,
            })
            const expected = reference.read({ ...EMPTY_REQUEST, ranges: [range] }).ranges[0]
            expectReported(await readRange(range), expected)
            ranges++
          }
    }
    expect(ranges).toBeGreaterThan(0)
  })

  it('sends a statement whose text depends on the shape of a read alone, not on the values of a caller', async () => {
    const { client, statements } = watchPool(pool)
    const watched = createTableStore(client, { tables: studio.tables })
    const readTexts = async (request: StoreReadRequest, session: StoreReadOptions['session']) => {
      const start = statements.length
      await watched.read(request, { ...OPTIONS, session })
      return statements.slice(start)
    }
    await fc.assert(
      fc.asyncProperty(createReadArbitrary(model, reference), async request => {
        const texts = await readTexts(request, OPTIONS.session)
        expect(texts.length).toBeLessThanOrEqual(1)
        expect(await readTexts(changeReadValues(reference, request), OTHER_SESSION)).toEqual(texts)
      }),
      // Most statements are new, and are planned.
      { numRuns: numRuns / 5 },
    )
    expect(statements.join()).not.toMatch(/867|hostile/)
  })
})
