import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createGraph } from 'kithgraph'
import { createSqliteStore, type SqliteDatabase, type SqliteStore } from 'kithgraph/sqlite'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EdgeRange, Mutation, NodeRecord } from '../../../src/store/contract.ts'
import { NOTHING } from '../../../src/store/nothing.ts'
import { createFolder } from '../../helpers/sqlite-databases.ts'

const LARGEST = '9223372036854775807'
const NAME = 'likes\u0000"\u2028'

const nodeOf = (id: string, fields: NodeRecord['fields'] = {}): NodeRecord => ({ id, type: 'user', fields })
const edgeOf = (target: string, time: number) => ({ source: '1', name: NAME, target, time })
const MUTATIONS: readonly Mutation[] = [
  { op: 'putNode', node: nodeOf('1', { text: '\u0000', ['__proto__']: { a: 1 } }) },
  { op: 'putNode', node: nodeOf(LARGEST) },
  { op: 'putEdge', edge: { ...edgeOf(LARGEST, 8.64e15), data: { since: null } } },
  { op: 'putEdge', edge: edgeOf('1', -8.64e15) },
]
const rangeOf = (asked: Partial<EdgeRange> = {}): EdgeRange => ({
  source: '1',
  name: NAME,
  direction: 'oldest',
  from: undefined,
  minTime: undefined,
  maxTime: undefined,
  limit: 10,
  count: true,
  ...asked,
})

const folder = createFolder()
afterAll(folder.remove)
let databases: Database.Database[] = []
let path = ''
const connect = () => {
  const database = new Database(path)
  databases.push(database)
  return database
}
beforeEach(() => {
  path = join(folder.path, `${Math.random()}.db`)
  databases = []
})
afterEach(() => {
  for (const database of databases) database.close()
})

const openStore = (database: SqliteDatabase = connect()): SqliteStore => {
  const store = createSqliteStore(database, { connect })
  store.open()
  store.write(MUTATIONS)
  return store
}

/** A connection that tells of each statement when it has answered, but for those of transactions. */
const telling = (answered: (sql: string) => void): SqliteDatabase => {
  const database = connect()
  const prepare: SqliteDatabase['prepare'] = sql => {
    const statement = database.prepare(sql)
    const get = (...values: readonly (string | number | bigint)[]) => {
      const row = statement.get(...values)
      answered(sql)
      return row
    }
    return { get, run: (...values) => statement.run(...values) }
  }
  return { prepare, exec: sql => database.exec(sql), close: () => database.close() }
}

/** A connection that counts which statements run, but for those of transactions. */
const counting = (): { readonly database: SqliteDatabase; readonly ran: string[] } => {
  const ran: string[] = []
  return { ran, database: telling(sql => ran.push(sql)) }
}

describe('what is asked of SQLite', () => {
  it('is one statement for each part of a wave, however much each part asks', () => {
    const { database, ran } = counting()
    const store = openStore(database)
    ran.length = 0
    const test = { source: '1', name: NAME, target: LARGEST }
    store.read({
      nodes: ['1', LARGEST, '3'],
      ranges: ['1', LARGEST, '3'].map(source => rangeOf({ source })),
      tests: [test, test],
      tokens: ['a', 'b'],
    })
    expect(ran).toHaveLength(4)
    expect(new Set(ran).size).toBe(4)
    store.read(NOTHING)
    expect(ran).toHaveLength(4)
  })

  it('is one statement for each run of ranges that differ in more than their source', () => {
    const { database, ran } = counting()
    const store = openStore(database)
    ran.length = 0
    const ranges = [rangeOf(), rangeOf({ limit: 1 }), rangeOf({ limit: 1, source: '3' }), rangeOf()]
    const totals = store
      .read({ ...NOTHING, ranges })
      .ranges.map(({ total, entries }) => [total, entries.length])
    expect(totals).toEqual([
      [2, 2],
      [2, 1],
      [0, 0],
      [2, 2],
    ])
    expect(ran).toHaveLength(3)
  })
})

describe('a wave', () => {
  it('is answered from one state, whoever writes between its statements', () => {
    const other = createSqliteStore(connect())
    let meanwhile = () => {}
    const store = openStore(telling(() => meanwhile()))
    other.open()
    meanwhile = () => other.write([{ op: 'deleteNode', id: '1' }])
    const { nodes, ranges } = store.read({
      ...NOTHING,
      nodes: ['1'],
      ranges: [rangeOf(), rangeOf({ limit: 1 })],
    })
    expect([nodes.length, ...ranges.map(({ total }) => total)]).toEqual([1, 2, 2])
    meanwhile = () => {}
    const wave = { ...NOTHING, nodes: ['1'], ranges: [rangeOf()] }
    expect(store.read(wave)).toMatchObject({ nodes: [undefined], ranges: [{ total: 0 }] })
  })

  it('of one statement leaves nothing open that would keep its state', () => {
    const store = openStore()
    const other = createSqliteStore(connect())
    other.open()
    const wave = { ...NOTHING, nodes: ['1'] }
    expect(store.read(wave).nodes).toHaveLength(1)
    other.write([{ op: 'deleteNode', id: '1' }])
    expect(store.read(wave).nodes).toEqual([undefined])
  })
})

describe('a database', () => {
  it('holds what was written for the next store', () => {
    openStore().close()
    const store = createSqliteStore(connect())
    store.open()
    const { nodes, ranges } = store.read({ ...NOTHING, nodes: ['1', LARGEST], ranges: [rangeOf()] })
    expect(nodes).toEqual(MUTATIONS.flatMap(mutation => (mutation.op === 'putNode' ? [mutation.node] : [])))
    expect(ranges[0]?.entries.map(({ target, time, data }) => [target, time, data])).toEqual([
      ['1', -8.64e15, undefined],
      [LARGEST, 8.64e15, { since: null }],
    ])
  })

  it('keeps the counts right whoever deletes an edge', () => {
    const store = openStore()
    connect().exec('delete from edges where time < 0')
    expect(store.read({ ...NOTHING, ranges: [rangeOf()] }).ranges[0]).toMatchObject({ total: 1 })
  })

  it('stays open when the store is closed, and is of use to the next one', () => {
    const database = connect()
    openStore(database).close()
    openStore(database).close()
    expect(database.open).toBe(true)
  })
})

describe('snapshots', () => {
  it('are cut when they are taken, not when they are first read, whoever writes', () => {
    const store = openStore()
    const snapshot = store.snapshot()
    const other = createSqliteStore(connect())
    other.open()
    other.write([{ op: 'deleteNode', id: '1' }])
    expect(snapshot.read({ ...NOTHING, nodes: ['1'] }).nodes[0]).toMatchObject({ id: '1' })
    expect(store.read({ ...NOTHING, nodes: ['1'] }).nodes).toEqual([undefined])
    snapshot.close()
  })

  it('take over the connections of those that are closed, at what is there by then', () => {
    const store = openStore()
    for (const n of [1, 2, 3]) {
      store.write([{ op: 'putNode', node: nodeOf('1', { n }) }])
      const snapshot = store.snapshot()
      expect(snapshot.read({ ...NOTHING, nodes: ['1'] }).nodes).toEqual([nodeOf('1', { n })])
      snapshot.close()
      snapshot.close()
      expect(() => snapshot.read(NOTHING)).toThrow(TypeError)
    }
    expect(databases).toHaveLength(2)
  })

  it('end with the store, and their connections with them', () => {
    const store = openStore()
    store.snapshot().close()
    store.snapshot()
    store.snapshot()
    expect(databases.map(({ open }) => open)).toEqual([true, true, true])
    store.close()
    expect(databases.map(({ open }) => open)).toEqual([true, false, false])
  })

  it('serve the queries of a graph that asks for one state', async () => {
    const graph = createGraph(createSqliteStore(connect(), { connect }), { consistency: 'snapshot' })
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
    const token = await graph.tokens.issue({ viewer: '1', app: 'test', scopes: [] })
    expect(await graph.getMe(token)).toEqual({ name: 'Ada', id: '1' })
    await graph.close()
  })
})

describe('the dump', () => {
  it('is all nodes and then all edges, as they were when it was called, and fills another store', () => {
    const store = openStore()
    const dump = store.dump()
    store.write([{ op: 'deleteNode', id: '1' }])
    const lines = [...dump].map(line => JSON.parse(line))
    expect(lines.map(line => Object.keys(line)[0])).toEqual(['node', 'node', 'edge', 'edge'])
    const copies = lines.map(
      ({ node, edge }): Mutation => (node ? { op: 'putNode', node } : { op: 'putEdge', edge }),
    )
    expect(copies).toEqual(expect.arrayContaining([...MUTATIONS]))
  })

  it('goes on from page to page, and gives its connection back', () => {
    const store = openStore()
    const targets = Array.from({ length: 2500 }, (_, index) => `${index + 10}`)
    store.write(targets.map(id => ({ op: 'putNode', node: nodeOf(id) })))
    store.write(targets.map((target, index) => ({ op: 'putEdge', edge: edgeOf(target, index % 3) })))
    expect(new Set(store.dump()).size).toBe(2 * (targets.length + 2))
    for (const _ of store.dump()) break
    store.dump()[Symbol.iterator]().return?.()
    store.snapshot().close()
    expect(databases).toHaveLength(2)
  })
})

describe('misuse', () => {
  it.each([
    [undefined, 'came undefined'],
    ['./graph.db', 'came "./graph.db"'],
    [{ prepare: () => undefined }, 'came an object with prepare'],
  ])('a database that is none is refused: %s', (database, message) => {
    // @ts-expect-error no database
    expect(() => createSqliteStore(database)).toThrow(message)
  })

  it('an unknown option is refused', () => {
    // @ts-expect-error no such option
    expect(() => createSqliteStore(connect(), { wal: true })).toThrow(
      'unknown option "wal"; expected one of connect',
    )
  })

  it('a store that is not open answers nothing', () => {
    const store = createSqliteStore(connect(), { connect })
    expect(() => store.read(NOTHING)).toThrow(TypeError)
    store.open()
    store.close()
    expect(() => store.write([])).toThrow('expected an open SQLite store')
    expect(() => store.snapshot()).toThrow(TypeError)
    expect(() => store.dump()).toThrow(TypeError)
  })

  it('without connect there is no snapshot and no dump; with the same connection neither', () => {
    const database = connect()
    const alone = createSqliteStore(database)
    alone.open()
    expect(alone.capabilities.snapshots).toBe(false)
    expect(() => alone.snapshot()).toThrow('expected connect for a snapshot')
    expect(() => alone.dump()).toThrow('expected connect for a dump')
    const shared = createSqliteStore(database, { connect: () => database })
    shared.open()
    expect(() => shared.snapshot()).toThrow('expected connect to open a new connection')
  })

  it('is shared and durable in a file, and neither in memory', () => {
    expect(createSqliteStore(connect()).capabilities).toMatchObject({ shared: true, durable: true })
    for (const name of [':memory:', '']) {
      const store = createSqliteStore(new Database(name))
      expect(store.capabilities).toMatchObject({ shared: false, durable: false })
    }
  })
})
