import { createGraph } from 'kithgraph'
import { back, createTableStore, defineTables, through } from 'kithgraph/tables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { watchPool } from '../helpers/watched-clients.ts'

const noKeys = { foreignKeys: [], uniques: [], indexes: [] }
const time = { type: 'timestamptz', nullable: true } as const
const db = {
  dialect: 'postgres',
  tables: {
    person: {
      name: 'person',
      schema: 'public',
      columns: { id: { type: 'int4' }, boss_id: { type: 'int4', nullable: true }, hired_at: time },
      key: ['id'],
      ...noKeys,
    },
    friendship: {
      name: 'friendship',
      schema: 'public',
      columns: { person_id: { type: 'int4' }, friend_id: { type: 'int4' }, since: time },
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
      fields: { hired_at: { default: true } },
      edges: {
        reports: back('person', 'boss_id', { by: 'hired_at', nulls: 'end' }),
        friends: through('friendship', 'person_id', 'person', 'friend_id', { by: 'since', nulls: 'end' }),
      },
    },
  },
  { viewers: ['person'], collections: {} },
)

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  await server.pool().query(`
create table person (id int primary key, boss_id int, hired_at timestamptz);
create table friendship (person_id int, friend_id int, since timestamptz, primary key (person_id, friend_id));
insert into person values (1, 1, null);
insert into friendship values (1, 1, null)`)
})
afterAll(() => server.stop())

const nestedLists = (edge: string, levels: number): string =>
  levels === 0 ? 'id' : `${edge}.limit(1){${nestedLists(edge, levels - 1)}}`

/** Reads lists in lists. Returns the result, and the length of its only statement. */
const readNested = async (edge: string, levels: number) => {
  const { client, statements } = watchPool(server.pool())
  const secret = 'a-secret-of-at-least-thirty-two-characters'
  const { getNode, session } = createGraph(createTableStore(client, { tables }), { schema, secret })
  const anyone = session({ viewer: undefined, app: 'demo', scopes: [] })
  const result = await getNode(anyone, { type: 'person', id: 'person-1', fields: nestedLists(edge, levels) })
  expect(statements).toHaveLength(1)
  return { result, length: statements.join().length }
}

describe.each(['reports', 'friends'])('the statement of nested %s with rows without a value', edge => {
  it('grows by the same length with each level', async () => {
    const lengths: number[] = []
    for (const levels of [1, 2, 3, 4, 5, 6]) {
      const { result, length } = await readNested(edge, levels)
      expect(JSON.stringify(result).match(/"id":"person-1"/g)).toHaveLength(levels + 1)
      lengths.push(length)
    }
    const growths = lengths.slice(1).map((length, index) => length - (lengths[index] ?? 0))
    // The numbers in names become longer.
    expect(Math.max(...growths) - Math.min(...growths)).toBeLessThan(20)
  })
})
