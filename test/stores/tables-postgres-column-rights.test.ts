import { createGraph, isViewer, viewerHasEdge } from 'kithgraph'
import { back, createTableStore, defineTables, ref, through } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const noKeys = { foreignKeys: [], uniques: [], indexes: [] }
const time = { type: 'timestamptz', nullable: true } as const
const db = {
  dialect: 'postgres',
  tables: {
    person: {
      name: 'person',
      schema: 'public',
      columns: {
        id: { type: 'int4' },
        name: { type: 'text' },
        hash: { type: 'text' },
        boss_id: { type: 'int4', nullable: true },
        hired_at: time,
        friend_count: { type: 'int4' },
      },
      key: ['id'],
      ...noKeys,
    },
    friendship: {
      name: 'friendship',
      schema: 'public',
      columns: {
        person_id: { type: 'int4' },
        friend_id: { type: 'int4' },
        since: time,
        note: { type: 'text' },
      },
      key: ['person_id', 'friend_id'],
      ...noKeys,
    },
  },
} as const

const { schema, tables } = defineTables(
  db,
  {
    person: {
      over: 'person',
      policy: [isViewer(), viewerHasEdge('friends')],
      fields: { name: { default: true }, boss: ref('person', 'boss_id') },
      edges: {
        reports: back('person', 'boss_id', { by: 'hired_at', nulls: 'end' }),
        friends: through('friendship', 'person_id', 'person', 'friend_id', { by: 'since', nulls: 'end' }),
        counted: through('friendship', 'person_id', 'person', 'friend_id', {
          by: 'since',
          nulls: 'skip',
          count: { column: 'friend_count' },
        }),
      },
    },
  },
  { viewers: ['person'], collections: {} },
)

let server: PostgresServer
let admin: pg.Pool
beforeAll(async () => {
  server = await startPostgres()
  admin = server.pool()
  await admin.query(`
create table person (id int primary key, name text not null, hash text not null, boss_id int, hired_at timestamptz,
  friend_count int not null);
create table friendship (person_id int, friend_id int, since timestamptz, note text not null,
  primary key (person_id, friend_id));
insert into person select i, 'person ' || i, 'secret', case when i > 1 then i - 1 end,
  case when i % 2 = 0 then '2026-01-01'::timestamptz end, 2 from generate_series(1, 8) as i;
insert into friendship select i, j, case when j % 2 = 0 then '2026-01-01'::timestamptz end, 'secret'
  from generate_series(1, 8) as i, generate_series(1, 8) as j where i <> j;
create role clerk;
grant select (id, name, boss_id, hired_at, friend_count) on person to clerk;
grant select (person_id, friend_id, since) on friendship to clerk`)
})
afterAll(() => server.stop())

describe('a graph over tables of which its role may read some columns', () => {
  it('returns what the owner of the tables reads, because its statements name only these columns', async () => {
    const secret = 'a-secret-of-at-least-thirty-two-characters'
    const clerk = server.pool({ options: '-c role=clerk' })
    const [expected, received] = await Promise.all(
      [admin, clerk].map(async pool => {
        const graph = createGraph(createTableStore(pool, { tables }), { schema, secret })
        const session = graph.session({ viewer: 'person-1', app: 'demo', scopes: [] })
        const person = { type: 'person', id: 'person-1' } as const
        return {
          node: await graph.getNode(session, {
            ...person,
            fields: 'name,boss{name},reports.limit(2){name,boss{name},reports{name,friends.limit(3){name}}}',
          }),
          friends: await graph.getEdge(session, {
            ...person,
            edge: 'friends',
            fields: 'name',
            summary: true,
          }),
          counted: await graph.getEdge(session, {
            ...person,
            edge: 'counted',
            fields: 'name',
            summary: true,
          }),
          hasEdge: await graph.hasEdge(session, { ...person, edge: 'friends', target: 'person-3' }),
        }
      }),
    )
    expect(received).toEqual(expected)
    expect(received?.hasEdge).toBe(true)
    await expect(clerk.query('select * from person')).rejects.toThrow('permission denied')
  })
})
