import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CheckedEngine,
  type CheckedStore,
  startPostgresEngine,
  startSqliteEngine,
} from '../cli/checked-stores.ts'
import {
  CHECK,
  COLLECT,
  damageLines,
  HEALTHY,
  isAboutDamage,
  readEntries,
  withCollectedEvents,
} from '../cli/collected-events.ts'

/** Creates the SQL that changes one entry as a store does, with its count and its reverse entry. */
type EntrySql = {
  /** The stored name of a list. */
  readonly nameOf: (list: string) => string
  readonly remove: (source: number, list: string, target: number) => string
  readonly insert: (source: number, list: string, target: number, data: string) => string
}

const sqliteEntries: EntrySql = {
  nameOf: list => `(select id from names where text = '"${list}"')`,
  remove: (source, list, target) =>
    `delete from edges where source = ${source} and name = ${sqliteEntries.nameOf(list)} and target = ${target}`,
  insert: (source, list, target, data) =>
    `insert or ignore into names (text) values ('"${list}"');
    insert into edges values (${source}, ${sqliteEntries.nameOf(list)}, 5, ${target}, ${data})`,
}

const postgresEntries: EntrySql = {
  nameOf: list => `'${list}'`,
  remove: (source, list, target) =>
    ['edges', 'edge_sources']
      .map(
        table => `delete from ${table} where source = ${source} and name = '${list}' and target = ${target};`,
      )
      .join('') +
    `insert into edge_counts (source, name, shard, count) values (${source}, '${list}', 99, -1)`,
  insert: (source, list, target, data) =>
    `insert into edges (source, name, time, target, data) values (${source}, '${list}', 5, ${target}, ${data});
    insert into edge_sources (target, source, name) values (${target}, ${source}, '${list}');
    insert into edge_counts (source, name, shard, count) values (${source}, '${list}', 99, 1)
    on conflict (source, name, shard) do update set count = edge_counts.count + excluded.count`,
}

/** Damage to the entries of a store, and the lines that report it. */
type Damage = { readonly name: string; readonly sql: string; readonly lines: readonly string[] }

const OTHER = 'it has another time or other data than its record'

const createDamages = ({ nameOf, remove, insert }: EntrySql): readonly Damage[] => [
  {
    name: 'a node that a collection lacks',
    sql: remove(0, 'events', 2),
    lines: ['missing entry: root "events" 2'],
  },
  {
    name: 'an edge that an order lacks',
    sql: remove(2, 'comments#top', 1002),
    lines: ['missing entry: 2 "comments#top" 1002'],
  },
  {
    name: 'an entry of a collection with another time',
    sql: `update edges set time = time + 1 where name = ${nameOf('events')} and target = 2`,
    lines: [`wrong entry: root "events" 2: ${OTHER}`],
  },
  {
    name: 'an entry with a time in a collection by id',
    sql: `update edges set time = 1 where name = ${nameOf('everyone')} and target = 2002`,
    lines: [`wrong entry: root "everyone" 2002: ${OTHER}`],
  },
  {
    name: 'an entry of an order with another time',
    sql: `update edges set time = 4 where name = ${nameOf('comments#top')} and source = 2`,
    lines: [`wrong entry: 2 "comments#top" 1002: ${OTHER}`],
  },
  {
    name: 'an entry of an order with the time of another edge in its data',
    sql: `update edges set data = '{"score":2,"#time":99}' where name = ${nameOf('comments#top')} and source = 2`,
    lines: [`wrong entry: 2 "comments#top" 1002: ${OTHER}`],
  },
  {
    name: 'an entry of a mirrored edge with other data',
    sql: `update edges set data = '{"joined":1,"#time":2}' where name = ${nameOf('attends#latest')} and source = 2002`,
    lines: [`wrong entry: 2002 "attends#latest" 2: ${OTHER}`],
  },
  {
    name: 'an entry whose data is not an object',
    sql: `update edges set data = '5' where name = ${nameOf('attends#latest')} and source = 2002`,
    lines: [`wrong entry: 2002 "attends#latest" 2: ${OTHER}`, 'damaged edge: 2002 "attends#latest" 2'],
  },
  {
    name: 'a node of another type in a collection',
    sql: insert(0, 'events', 1002, 'null'),
    lines: ['entry without record: root "events" 1002'],
  },
  {
    name: 'an entry of an order without its edge',
    sql: insert(2, 'comments#top', 1003, `'{"score":5,"#time":1}'`),
    lines: ['entry without record: 2 "comments#top" 1003'],
  },
]

describe.each([
  { name: 'SQLite', start: startSqliteEngine, entries: sqliteEntries, counts: 'counts', total: 'total' },
  {
    name: 'Postgres',
    start: startPostgresEngine,
    entries: postgresEntries,
    counts: 'edge_counts',
    total: 'count',
  },
])('check store with collections and orders on $name', ({ start, entries, counts, total }) => {
  let engine: CheckedEngine
  beforeAll(async () => {
    engine = await start()
  })
  afterAll(() => engine.stop())

  const withEvents = (body: (store: CheckedStore) => Promise<void>) => withCollectedEvents(engine, body)

  it.each([
    ['with', CHECK],
    ['without', ['check', 'store']],
  ])('reports nothing in a healthy store %s a schema', (_, command) =>
    withEvents(async store => {
      expect(await store.run(command)).toEqual({ status: 0, lines: [HEALTHY], errors: [] })
    }),
  )

  it.each(createDamages(entries))('reports and repairs $name', ({ sql, lines }) =>
    withEvents(async store => {
      await store.execute(sql)
      expect(await damageLines(store)).toEqual([...lines].sort())
      const { status, lines: printed } = await store.run([...CHECK, '--repair'])
      expect({ status, summary: printed.at(-1) }).toEqual({ status: 0, summary: HEALTHY })
      const { stored, expected } = await readEntries(store)
      expect(stored).toEqual(expected)
    }),
  )

  it('does not report entries without a schema', () =>
    withEvents(async store => {
      for (const { sql, lines } of createDamages(entries))
        if (!lines.join().includes('damaged')) await store.execute(sql)
      const { status, lines } = await store.run(['check', 'store'])
      expect({ status, damage: lines.filter(isAboutDamage) }).toEqual({ status: 0, damage: [] })
    }))

  it('removes the entry of a node whose field is not valid any more', () =>
    withEvents(async store => {
      await store.execute(`update nodes set fields = '{"start_time":"soon"}' where id = 2`)
      const contradiction = expect.stringMatching(/^contradiction: "event"\."start_time"/)
      const { lines } = await store.run([...CHECK, '--repair'])
      expect(lines.filter(isAboutDamage)).toEqual([
        'entry without record: root "events" 2',
        contradiction,
        contradiction,
      ])
      expect(await damageLines(store)).toEqual([contradiction])
    }))

  it('removes the entries of a missing node only with --remove, as other edges', () =>
    withEvents(async store => {
      await store.execute('delete from nodes where id = 2002')
      const lines = ['2 "guests" 2002', '2002 "attends" 2', '2002 "attends#latest" 2', 'root "everyone" 2002']
      const expected = lines.map(line => `dangling edge: ${line}`)
      expect(await damageLines(store)).toEqual(expected)
      await store.run([...CHECK, '--repair'])
      expect(await damageLines(store)).toEqual(expected)
      const { status, lines: printed } = await store.run([...CHECK, '--repair', '--remove'])
      const summary = 'checked 14 nodes, 13 edges and 23 entries: no errors'
      expect({ status, summary: printed.at(-1) }).toEqual({ status: 0, summary })
    }))

  it('corrects the count of a collection', () =>
    withEvents(async store => {
      await store.execute(
        `update ${counts} set ${total} = ${total} + 4 where source = 0 and name = ${entries.nameOf('events')}`,
      )
      expect(await damageLines(store)).toEqual([
        'wrong count: root "events": the count is 9, the number of edges 5',
      ])
      expect((await store.run([...CHECK, '--repair'])).lines.at(-1)).toBe(HEALTHY)
    }))

  it('reports a list that is not complete, and leaves its entries to collect', () =>
    withEvents(async store => {
      await store.execute(`delete from flags; ${entries.remove(0, 'events', 2)}`)
      const { status, lines } = await store.run([...CHECK, '--repair'])
      expect(status).toBe(1)
      expect(lines.filter(line => line.startsWith('incomplete'))).toEqual(
        [1, 2].flatMap(() =>
          [
            'the collection events',
            'the collection everyone',
            'the order top of comments',
            'the order latest of attends',
          ].map(list => `incomplete list: ${list}; to build it, run npx kithgraph collect URL --schema FILE`),
        ),
      )
      expect(lines.at(-1)).toBe('checked 15 nodes, 15 edges and 24 entries: 4 incomplete lists')
      await store.run(COLLECT)
      expect(await store.run(CHECK)).toMatchObject({ status: 0, lines: [HEALTHY] })
    }))

  it('only counts the entries of a list that the schema does not declare', () =>
    withEvents(async store => {
      await store.execute(
        `${entries.insert(0, 'gone', 2, 'null')}; ${entries.insert(2, 'comments#gone', 1002, 'null')}`,
      )
      const note =
        'note: 2 entries of collections or orders that the schema does not declare (from normal operation)'
      expect(await store.run([...CHECK, '--repair', '--remove'])).toMatchObject({
        status: 0,
        lines: [note, expect.anything()],
      })
    }))
})

describe('check store with collections on Postgres', () => {
  it('adds and removes the reverse entries of a collection', async () => {
    const engine = await startPostgresEngine()
    await withCollectedEvents(engine, async store => {
      await store.execute(`delete from edge_sources where source = 0 and name = 'events' and target = 2;
      insert into edge_sources (target, source, name) values (1002, 0, 'events')`)
      const { lines } = await store.run([...CHECK, '--repair', '--remove'])
      expect(lines.slice(0, 2)).toEqual([
        'missing reverse entry: root "events" 2',
        'stale reverse entry: root "events" 1002',
      ])
      expect(lines.at(-1)).toBe(HEALTHY)
    })
    await engine.stop()
  })
})
