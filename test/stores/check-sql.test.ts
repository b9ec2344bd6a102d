import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CheckedEngine,
  type CheckedStore,
  SCHEMA_FILE,
  startPostgresEngine,
  startSqliteEngine,
  writePeople,
} from '../cli/checked-stores.ts'

/** Damage to a store, and the line that reports it. */
type Damage = {
  readonly name: string
  readonly sql: string
  readonly line: string
  /** The flags that a repair needs; none if the command cannot repair the damage. */
  readonly flags: readonly string[]
}

const REPAIR = ['--repair']
const REMOVE = ['--repair', '--remove']
const UNREPAIRED: string[] = []

const EDGE_COLUMNS = 'source, name, time, target, data'
const friends = { sqlite: `(select id from names where text = '"friends"')`, postgres: `'friends'` }

/** Damage that both databases can have. `name` is the stored name of the edge `friends`. */
const commonDamage = (
  name: string,
  counts: string,
  total: string,
  otherDeletions = '',
): readonly Damage[] => [
  {
    name: 'an edge without its mirror',
    sql: `delete from edges where source = 2 and name = ${name}${otherDeletions}`,
    line: 'half mirror: 1 "friends" 2: the mirror 2 "friends" 1 is missing',
    flags: REPAIR,
  },
  {
    name: 'a mirror with another time',
    sql: `update edges set time = 99 where source = 2 and name = ${name}`,
    line: 'unequal mirror: 1 "friends" 2: the mirror 2 "friends" 1 has another time or other data',
    flags: UNREPAIRED,
  },
  {
    name: 'a mirror with other data',
    sql: `update edges set data = '{"note":"work"}' where source = 2 and name = ${name}`,
    line: 'unequal mirror: 1 "friends" 2: the mirror 2 "friends" 1 has another time or other data',
    flags: UNREPAIRED,
  },
  {
    name: 'a count that is too high',
    sql: `update ${counts} set ${total} = ${total} + 4 where source = 1 and name = ${name}`,
    line: 'wrong count: 1 "friends": the count is 5, the number of edges 1',
    flags: REPAIR,
  },
  {
    name: 'a list without a count',
    sql: `delete from ${counts} where source = 1 and name = ${name}`,
    line: 'wrong count: 1 "friends": the count is 0, the number of edges 1',
    flags: REPAIR,
  },
  {
    name: 'a node whose fields are not an object',
    sql: `update nodes set fields = '5' where id = 3`,
    line: 'damaged node: node 3',
    flags: UNREPAIRED,
  },
  {
    name: 'an edge whose data is not an object',
    sql: `update edges set data = '5' where source = 2 and name <> ${name}`,
    line: 'damaged edge: 2 "follows" 1',
    flags: UNREPAIRED,
  },
  {
    name: 'a value of a wrong type',
    sql: `update nodes set fields = '{"name":"Ada","age":"old"}' where id = 1`,
    line: 'contradiction: "person"."age": the value is not valid for the type of the field; 1 time, such as in 1',
    flags: UNREPAIRED,
  },
  {
    name: 'a missing required value',
    sql: `update nodes set fields = '{}' where id = 1`,
    line: 'contradiction: "person"."name": the value is missing, although every record must have one; 1 time, such as in 1',
    flags: UNREPAIRED,
  },
  {
    name: 'a value of an edge of a wrong type',
    sql: `update edges set data = '{"note":1}' where name = ${name}`,
    line: 'contradiction: "person"."friends"."note": the value is not valid for the type of the field; 2 times, such as in 1, 2',
    flags: UNREPAIRED,
  },
]

const sqliteDamage: readonly Damage[] = [
  ...commonDamage(friends.sqlite, 'counts', 'total'),
  {
    name: 'an edge to a missing node',
    sql: `insert into edges (${EDGE_COLUMNS}) values (1, ${friends.sqlite}, 8, 77, null)`,
    line: 'dangling edge: 1 "friends" 77',
    flags: REMOVE,
  },
  {
    name: 'an edge from a missing node',
    sql: `insert into edges (${EDGE_COLUMNS}) values (77, ${friends.sqlite}, 8, 1, null)`,
    line: 'dangling edge: 77 "friends" 1',
    flags: REMOVE,
  },
  {
    name: 'a count of 0',
    sql: `insert into counts values (3, ${friends.sqlite}, 0)`,
    line: 'empty count: 3 "friends"',
    flags: REMOVE,
  },
  {
    name: 'fields that are not JSON',
    sql: `update nodes set fields = '{' where id = 3`,
    line: 'damaged node: node 3',
    flags: UNREPAIRED,
  },
  {
    name: 'a name of edges that is not JSON',
    sql: `update names set text = 'follows' where text = '"follows"'`,
    line: 'damaged edge: 2 "4" 1',
    flags: UNREPAIRED,
  },
  {
    name: 'a type that the schema does not declare',
    sql: `insert into nodes values (4, '"robot"', '{}')`,
    line: 'contradiction: "robot": the schema does not declare this type; 1 time, such as in 4',
    flags: UNREPAIRED,
  },
]

const postgresDamage: readonly Damage[] = [
  ...commonDamage(
    friends.postgres,
    'edge_counts',
    'count',
    `; delete from edge_sources where source = 2 and name = 'friends'; delete from edge_counts where source = 2 and name = 'friends'`,
  ),
  {
    name: 'an edge to a missing node',
    sql: `insert into edges (${EDGE_COLUMNS}) values (1, 'friends', 8, 77, null);
      insert into edge_sources (target, source, name) values (77, 1, 'friends');
      update edge_counts set count = count + 1 where source = 1 and name = 'friends'`,
    line: 'dangling edge: 1 "friends" 77',
    flags: REMOVE,
  },
  {
    name: 'an edge from a missing node',
    sql: `insert into edges (${EDGE_COLUMNS}) values (77, 'friends', 8, 1, null);
      insert into edge_sources (target, source, name) values (1, 77, 'friends');
      insert into edge_counts (source, name, shard, count) values (77, 'friends', 0, 1)`,
    line: 'dangling edge: 77 "friends" 1',
    flags: REMOVE,
  },
  {
    name: 'an edge without its reverse entry',
    sql: `delete from edge_sources where target = 2`,
    line: 'missing reverse entry: 1 "friends" 2',
    flags: REPAIR,
  },
  {
    name: 'a reverse entry without its edge',
    sql: `insert into edge_sources (target, source, name) values (3, 2, 'likes')`,
    line: 'stale reverse entry: 2 "likes" 3',
    flags: REMOVE,
  },
  {
    name: 'a reverse entry between missing nodes',
    sql: `insert into edge_sources (target, source, name) values (77, 78, 'likes')`,
    line: 'stale reverse entry: 78 "likes" 77',
    flags: REMOVE,
  },
  {
    name: 'a count of several rows that is too low',
    sql: `insert into edge_counts (source, name, shard, count) values (1, 'friends', 99, -3)`,
    line: 'wrong count: 1 "friends": the count is -2, the number of edges 1',
    flags: REPAIR,
  },
  {
    name: 'a count of 0 of a missing node',
    sql: `insert into edge_counts (source, name, shard, count) values (77, 'friends', 0, 0)`,
    line: 'empty count: 77 "friends"',
    flags: REMOVE,
  },
]

/** Divides the lines of a repair into those of the first and of the last check. */
const divideChecks = (lines: readonly string[]) => {
  const end = lines.findIndex(line => line.startsWith('repair:'))
  const isAboutDamage = (line: string): boolean => !/^(?:checked|repair|note)/.test(line)
  return { first: lines.slice(0, end).filter(isAboutDamage), last: lines.slice(end).filter(isAboutDamage) }
}

const describeEngine = (
  engineName: string,
  start: () => Promise<CheckedEngine>,
  damages: readonly Damage[],
): void => {
  describe(`check store on ${engineName}`, () => {
    let engine: CheckedEngine
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())

    const withPeople = async (body: (store: CheckedStore) => Promise<void>): Promise<void> => {
      const store = await engine.create()
      try {
        await writePeople(store)
        await body(store)
      } finally {
        await store.close()
      }
    }

    it('reports nothing in a healthy store', () =>
      withPeople(async store => {
        expect(await store.check('--schema', SCHEMA_FILE)).toEqual({
          status: 0,
          lines: ['checked 3 nodes and 5 edges: no errors'],
          errors: [],
        })
      }))

    it('changes nothing without --repair', () =>
      withPeople(async store => {
        await store.execute(damages[0]?.sql ?? '')
        const first = await store.check('--schema', SCHEMA_FILE)
        expect(first.status).toBe(1)
        expect(await store.check('--schema', SCHEMA_FILE)).toEqual(first)
      }))

    const withFlags = (flags: readonly string[]) => damages.filter(damage => damage.flags === flags)
    const repairWith = async (store: CheckedStore, { sql, line }: Damage, flags: string[]) => {
      await store.execute(sql)
      const { status, lines } = await store.check('--schema', SCHEMA_FILE, ...flags)
      const { first, last } = divideChecks(lines)
      expect(first).toEqual([line])
      return { status, last, summary: lines.at(-1) }
    }
    const healthy = { status: 0, last: [], summary: 'checked 3 nodes and 5 edges: no errors' }

    it.each(withFlags(REPAIR))('reports and repairs $name with --repair', damage =>
      withPeople(async store => {
        expect(await repairWith(store, damage, REPAIR)).toEqual(healthy)
      }),
    )

    it.each(withFlags(REMOVE))('reports $name, and removes it only with --remove', damage =>
      withPeople(async store => {
        expect(await repairWith(store, damage, REPAIR)).toMatchObject({ status: 1, last: [damage.line] })
        expect(await store.check('--schema', SCHEMA_FILE, ...REMOVE)).toMatchObject({ status: 0 })
        expect(await store.check('--schema', SCHEMA_FILE)).toMatchObject({ lines: [healthy.summary] })
      }),
    )

    it.each(withFlags(UNREPAIRED))('reports $name, and leaves it unchanged', damage =>
      withPeople(async store => {
        const { status, last } = await repairWith(store, damage, REMOVE)
        expect({ status, last }).toEqual({ status: 1, last: [damage.line] })
      }),
    )
  })
}

describeEngine('SQLite', startSqliteEngine, sqliteDamage)
describeEngine('Postgres', startPostgresEngine, postgresDamage)
