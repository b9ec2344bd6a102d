import { createGraph, fieldEquals, viewerHasEdge } from 'kithgraph'
import type { PostgresPoolClient } from 'kithgraph/postgres'
import { createTableStore } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { social, withPhotoPolicy, withPolicies } from '../../bench/contenders/table-graph.ts'
import { INDEXES_DDL, TABLES_DDL } from '../../bench/data/table-data.ts'
import { TABLE_PHOTOS } from '../../bench/data/table-reads.ts'
import { countRead, type PlanNode } from '../helpers/explain-reads.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { createPool } from '../helpers/watched-clients.ts'

/**
 * Account 1 has photos, and follows the authors of their comments and many others. Accounts 2 and 40 have long lists.
 * The newest photo of account 1 has four comments, and one of account 5000, which is deleted. That of account 40 has
 * comments of accounts that account 1 does not follow.
 */
const ROWS = `
insert into account select i, 'Person ' || i, 'person@example.org', null, '2024-01-01', null from generate_series(1, 4000) as i;
insert into photo select i, 1, 'Photo ' || i, 640, 'public', '2024-01-01'::timestamptz + i * interval '1 day', null
  from generate_series(1, 12) as i;
insert into comment select md5(p || ' ' || c)::uuid, p, 2 + (p * 4 + c) % 30, 'body', '2024-02-01'::timestamptz + c * interval '1 day', null
  from generate_series(1, 12) as p, generate_series(1, 4) as c;
insert into follow select 1, i, '2024-01-01', null from generate_series(2, 4000) as i where i <> 40;
insert into follow select i, 2, '2024-01-01'::timestamptz + i * interval '1 hour', null from generate_series(3, 4000) as i;
insert into photo select 100 + i, 40, 'Photo ' || i, 640, case when i % 100 = 0 then 'public' else 'private' end,
  '2024-01-01'::timestamptz + i * interval '1 hour', null from generate_series(1, 4000) as i;
insert into account values (5000, 'Person 5000', 'person@example.org', null, '2024-01-01', '2024-01-02');
insert into follow values (1, 5000, '2024-01-01', null);
insert into comment values (md5('deleted')::uuid, 12, 5000, 'body', '2024-03-01', null);
insert into account select i, 'Person ' || i, 'person@example.org', null, '2024-01-01', null from generate_series(6001, 6300) as i;
insert into comment select md5('hidden ' || i)::uuid, 4100, i, 'body', '2024-02-01', null from generate_series(6001, 6300) as i;
`

/** Photos of which one in a hundred is visible. */
const HIDDEN_PHOTOS = 'photos.limit(2){caption}'

type Sent = { readonly text: string; readonly values: readonly unknown[] }

let server: PostgresServer
let pool: pg.Pool
const sent: Sent[] = []

/** Connects, and records all statements. */
const connect = async (): Promise<PostgresPoolClient> => {
  const connection: PostgresPoolClient = await pool.connect()
  return {
    processID: connection.processID,
    query: query => {
      sent.push({ text: query.text, values: query.values ?? [] })
      return connection.query(query)
    },
    on: (event, listener) => connection.on(event, listener),
    off: (event, listener) => connection.off(event, listener),
    release: destroy => connection.release(destroy),
  }
}

/** Reads fields of an account twice as account 1. Returns the result, and the statements of the second read. */
const readTwice = async (schema: typeof social.schema, account: number, fields: string) => {
  const store = createTableStore(createPool(connect), { tables: social.tables })
  const { getNode, session: createSession } = createGraph(store, { schema, secret: 'a secret of the tests' })
  const session = createSession({ viewer: 'account-1', app: 'demo', scopes: [] })
  const read = () => getNode(session, { type: 'account', id: `account-${account}`, fields })
  await read()
  sent.length = 0
  return { result: await read(), statements: [...sent] }
}

/** Executes the statement of a read again, and returns its plan with the rows that were read. */
const explainRead = async (
  schema: typeof social.schema,
  account: number,
  fields: string,
): Promise<PlanNode> => {
  const [{ text, values } = { text: '', values: [] }] = (await readTwice(schema, account, fields)).statements
  const explained = { text: `explain (analyze, timing off, format json) ${text}`, values: [...values] }
  const { rows } = await pool.query(explained)
  return rows[0]['QUERY PLAN'][0].Plan
}

const countNodes = (value: unknown): number =>
  Object(value) === value
    ? Number('id' in Object(value)) +
      Object.values(Object(value)).reduce((sum: number, item) => sum + countNodes(item), 0)
    : 0

const countBodies = (value: unknown): number => JSON.stringify(value).split('"body":').length - 1

beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool({ max: 1 })
  await pool.query(TABLES_DDL + ROWS)
  await pool.query(INDEXES_DDL)
  await pool.query('vacuum analyze')
})
afterAll(() => server.stop())

describe('a read of tables in Postgres', () => {
  it('sends one statement for 71 nodes on four levels', async () => {
    const { result, statements } = await readTwice(social.schema, 1, TABLE_PHOTOS)
    expect(countNodes(result)).toBe(71)
    expect(statements).toHaveLength(1)
  })

  it('sends no further statement under policies of the library on every type', async () => {
    const { result, statements } = await readTwice(withPolicies, 1, TABLE_PHOTOS)
    expect(result).toEqual((await readTwice(social.schema, 1, TABLE_PHOTOS)).result)
    expect(statements).toHaveLength(1)
  })

  it('sends one statement for a page of a list in which one entry in a hundred is visible', async () => {
    const { result, statements } = await readTwice(withPhotoPolicy, 40, 'photos.limit(25){caption}')
    expect(countNodes(result)).toBe(26)
    expect(statements).toHaveLength(1)
  })

  it('sends the same text for another viewer and another account, also under policies', async () => {
    const [one] = (await readTwice(withPhotoPolicy, 40, 'photos.limit(25){caption}')).statements
    const [other] = (await readTwice(withPhotoPolicy, 1, 'photos.limit(25){caption}')).statements
    expect(one?.text).toBe(other?.text)
    expect(one?.values).not.toEqual(other?.values)
  })

  it('sends the values of a long policy in one parameter, and those of a short one in a parameter each', async () => {
    const values = Array.from({ length: 40 }, (_, index) => fieldEquals('visibility', `level ${index}`))
    const withLongPolicy = social.schema.extend({
      photo: { policy: [...values, fieldEquals('visibility', 'public')] },
    })
    const fields = 'photos.limit(5){caption}'
    const long = await readTwice(withLongPolicy, 1, fields)
    const short = await readTwice(withPhotoPolicy, 1, fields)
    expect(long.result).toEqual(short.result)
    expect(long.statements.map(({ values }) => values.length)).toEqual([2])
    expect(short.statements[0]?.values.length).toBeGreaterThan(2)
  })

  it('sends statements that Postgres does not plan again for other values', async () => {
    for (const schema of [social.schema, withPolicies, withPhotoPolicy])
      for (let times = 0; times < 10; times++) {
        await readTwice(schema, 1, TABLE_PHOTOS)
        await readTwice(schema, 2, 'followers.limit(25){name}')
      }
    const { rows } = await pool.query<{ custom: number; generic: number }>(
      `select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements where name like 'kithgraph%'`,
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(Math.max(...rows.map(({ custom }) => custom))).toBe(5)
    expect(Math.max(...rows.map(({ generic }) => generic))).toBeGreaterThan(5)
  })

  it.each(['body', 'body,author{name}'])(
    'does not show the comment of a deleted account that the viewer follows, with the fields %s',
    async fields => {
      const photos = `photos.limit(1){comments{${fields}}}`
      expect(countBodies((await readTwice(social.schema, 1, photos)).result)).toBe(5)
      expect(countBodies((await readTwice(withPolicies, 1, photos)).result)).toBe(4)
    },
  )

  it.each([
    ['without policies', social.schema],
    ['under policies', withPolicies],
  ])('selects the time of an entry once if it is also requested, %s', async (_, schema) => {
    const countTimes = async (fields: string): Promise<number> => {
      const [statement] = (await readTwice(schema, 1, `photos.limit(1){${fields}}`)).statements
      return statement?.text.split('extract(epoch from').length ?? 0
    }
    expect(await countTimes('caption')).toBeGreaterThan(1)
    expect(await countTimes('caption,created_time')).toBe(await countTimes('caption'))
  })

  it('returns the fields of each of two refs of the same name under policies', async () => {
    const fields = 'photos.limit(1){comments.limit(1){author{name},author.as(writer){email}}}'
    const { result } = await readTwice(withPolicies, 1, fields)
    const id = 'account-21'
    const comment = { author: { id, name: 'Person 21' }, writer: { id, email: 'person@example.org' } }
    expect(result).toMatchObject({ photos: { data: [{ comments: { data: [comment] } }] } })
  })

  it.each([
    ['entries and refs of three levels', withPolicies, 1, TABLE_PHOTOS],
    ['photos of someone that the viewer does not follow', withPhotoPolicy, 40, HIDDEN_PHOTOS],
  ])(
    'reads at most one edge of a viewer for each row under conditions: %s',
    async (_, schema, account, fields) => {
      const plan = await explainRead(schema, account, fields)
      const rowCount = countRead(plan, 'photo') + countRead(plan, 'comment')
      expect(countRead(plan, 'follow')).toBeLessThanOrEqual(rowCount)
      expect(rowCount).toBeLessThan(1000)
    },
  )

  it('does not look up the refs of rows for which no condition holds', async () => {
    const comment = { policy: [viewerHasEdge('following', { of: 'author' })] }
    const fields = 'photos.limit(1){comments{body,author{name}}}'
    const plan = await explainRead(withPhotoPolicy.extend({ comment }), 40, fields)
    expect(countRead(plan, 'comment')).toBe(300)
    // The root, and the viewer of each list.
    expect(countRead(plan, 'account')).toBeLessThanOrEqual(3)
  })

  it.each([
    ['a list of few rows', withPolicies],
    ['a list that may be long', withPhotoPolicy],
  ])('reads nothing below the entry that only shows that the list continues: %s', async (_, schema) => {
    const fields = 'photos.limit(2){comments.limit(9){body}}'
    const { result, statements } = await readTwice(schema, 1, fields)
    expect(statements).toHaveLength(1)
    expect(countBodies(result)).toBe(schema === withPolicies ? 8 : 9)
    // Five of the newest photo, of which policies hide one, and four of the next one.
    expect(countRead(await explainRead(schema, 1, fields), 'comment')).toBe(9)
  })

  it('looks up the source of a list only once under conditions about it', async () => {
    const plan = await explainRead(withPhotoPolicy, 40, HIDDEN_PHOTOS)
    expect(countRead(plan, 'photo')).toBeGreaterThan(100)
    // The source, and the viewer.
    expect(countRead(plan, 'account')).toBe(2)
  })

  it('reads a page of a long list as one range of an index', async () => {
    const { statements } = await readTwice(social.schema, 2, 'followers.limit(25){name}')
    const [{ text, values } = { text: '', values: [] }] = statements
    const client = await pool.connect()
    const { rows } = await client.query({
      text: `explain (analyze, costs off, timing off) ${text}`,
      values: [...values],
    })
    client.release()
    const plan = rows.map(row => `${row['QUERY PLAN']}`)
    const scan = plan.find(line => line.includes(' on follow ')) ?? ''
    expect(scan).toContain('Index')
    const [, rowCount] = /rows=(\d+)/.exec(scan) ?? []
    expect(Number(rowCount)).toBeLessThanOrEqual(26)
    expect(plan.filter(line => /Sort|Seq Scan/.test(line))).toEqual([])
  })
})
