import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createGraph } from 'kithgraph'
import { createSqliteStore, type SqliteDatabase, type SqliteStore } from 'kithgraph/sqlite'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EdgeRange, NodeRecord } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import { createTemporaryFolder } from '../../helpers/sqlite-databases.ts'

const LARGEST = '9223372036854775807'
const NAME = 'likes\u0000"\u2028'

const putNode = (id: string, fields: NodeRecord['fields'] = {}): NodeRecord => ({
  id,
  type: 'user',
  fields,
})
const putEdge = (target: string, time: number) => ({ source: '1', name: NAME, target, time })
const MUTATIONS: readonly StoreMutation[] = [
  { op: 'putNode', node: putNode('1', { text: '\u0000', ['__proto__']: { a: 1 } }) },
  { op: 'putNode', node: putNode(LARGEST) },
  { op: 'putEdge', edge: { ...putEdge(LARGEST, 8.64e15), data: { since: null } } },
  { op: 'putEdge', edge: putEdge('1', -8.64e15) },
]
const createRange = (overrides: Partial<EdgeRange> = {}): EdgeRange => ({
  source: '1',
  name: NAME,
  direction: 'oldest',
  from: undefined,
  minTime: undefined,
  maxTime: undefined,
  limit: 10,
  count: true,
  ...overrides,
})

const folder = createTemporaryFolder()
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

/**
 * Creates a connection that reports each statement after it has run, except for statements of transactions.
 */
const createObservedDatabase = (onStatement: (sql: string) => void): SqliteDatabase => {
  const database = connect()
  const prepare: SqliteDatabase['prepare'] = sql => {
    const statement = database.prepare(sql)
    const get = (...values: readonly (string | number | bigint)[]) => {
      const row = statement.get(...values)
      onStatement(sql)
      return row
    }
    return { get, run: (...values) => statement.run(...values) }
  }
  return { prepare, exec: sql => database.exec(sql), close: () => database.close() }
}

/** Creates a connection that records its statements, except for statements of transactions. */
const createRecordingDatabase = (): { readonly database: SqliteDatabase; readonly ran: string[] } => {
  const ran: string[] = []
  return { ran, database: createObservedDatabase(sql => ran.push(sql)) }
}

describe('the statements of a SQLite store', () => {
  it('are one for each part of a read, however many items the part has', () => {
    const { database, ran } = createRecordingDatabase()
    const store = openStore(database)
    ran.length = 0
    const check = { source: '1', name: NAME, target: LARGEST }
    store.read({
      nodes: ['1', LARGEST, '3'],
      ranges: ['1', LARGEST, '3'].map(source => createRange({ source })),
      checks: [check, check],
      tokens: ['a', 'b'],
    })
    expect(ran).toHaveLength(4)
    expect(new Set(ran).size).toBe(4)
    store.read(EMPTY_REQUEST)
    expect(ran).toHaveLength(4)
  })

  it('are one for all ranges that differ only in their source', () => {
    const { database, ran } = createRecordingDatabase()
    const store = openStore(database)
    ran.length = 0
    const ranges = [
      createRange(),
      createRange({ limit: 1 }),
      createRange({ limit: 1, source: '3' }),
      createRange(),
    ]
    const totals = store
      .read({ ...EMPTY_REQUEST, ranges })
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

describe('a read of a SQLite store', () => {
  it('sees one state, even if another connection writes between its statements', () => {
    const other = createSqliteStore(connect())
    let meanwhile = () => {}
    const store = openStore(createObservedDatabase(() => meanwhile()))
    other.open()
    meanwhile = () => other.write([{ op: 'deleteNode', id: '1' }])
    const { nodes, ranges } = store.read({
      ...EMPTY_REQUEST,
      nodes: ['1'],
      ranges: [createRange(), createRange({ limit: 1 })],
    })
    expect([nodes.length, ...ranges.map(({ total }) => total)]).toEqual([1, 2, 2])
    meanwhile = () => {}
    const request = { ...EMPTY_REQUEST, nodes: ['1'], ranges: [createRange()] }
    expect(store.read(request)).toMatchObject({ nodes: [undefined], ranges: [{ total: 0 }] })
  })

  it('leaves no transaction open if it is a single statement', () => {
    const store = openStore()
    const other = createSqliteStore(connect())
    other.open()
    const request = { ...EMPTY_REQUEST, nodes: ['1'] }
    expect(store.read(request).nodes).toHaveLength(1)
    other.write([{ op: 'deleteNode', id: '1' }])
    expect(store.read(request).nodes).toEqual([undefined])
  })
})

describe('a SQLite database', () => {
  it('keeps its data for the next store', () => {
    openStore().close()
    const store = createSqliteStore(connect())
    store.open()
    const { nodes, ranges } = store.read({ ...EMPTY_REQUEST, nodes: ['1', LARGEST], ranges: [createRange()] })
    expect(nodes).toEqual(MUTATIONS.flatMap(mutation => (mutation.op === 'putNode' ? [mutation.node] : [])))
    expect(ranges[0]?.entries.map(({ target, time, data }) => [target, time, data])).toEqual([
      ['1', -8.64e15, undefined],
      [LARGEST, 8.64e15, { since: null }],
    ])
  })

  it('keeps its counts correct, even if another program deletes an edge', () => {
    const store = openStore()
    connect().exec('delete from edges where time < 0')
    expect(store.read({ ...EMPTY_REQUEST, ranges: [createRange()] }).ranges[0]).toMatchObject({ total: 1 })
  })

  it('stays open when the store is closed, and serves the next store', () => {
    const database = connect()
    openStore(database).close()
    openStore(database).close()
    expect(database.open).toBe(true)
  })
})

describe('snapshots of SQLite', () => {
  it('have the state at the time when they are created, not when they are first read', () => {
    const store = openStore()
    const snapshot = store.snapshot()
    const other = createSqliteStore(connect())
    other.open()
    other.write([{ op: 'deleteNode', id: '1' }])
    expect(snapshot.read({ ...EMPTY_REQUEST, nodes: ['1'] }).nodes[0]).toMatchObject({ id: '1' })
    expect(store.read({ ...EMPTY_REQUEST, nodes: ['1'] }).nodes).toEqual([undefined])
    snapshot.close()
  })

  it('reuse the connections of closed snapshots, but see the current state', () => {
    const store = openStore()
    for (const n of [1, 2, 3]) {
      store.write([{ op: 'putNode', node: putNode('1', { n }) }])
      const snapshot = store.snapshot()
      expect(snapshot.read({ ...EMPTY_REQUEST, nodes: ['1'] }).nodes).toEqual([putNode('1', { n })])
      snapshot.close()
      snapshot.close()
      expect(() => snapshot.read(EMPTY_REQUEST)).toThrow(TypeError)
    }
    expect(databases).toHaveLength(2)
  })

  it('are closed with the store, together with their connections', () => {
    const store = openStore()
    store.snapshot().close()
    store.snapshot()
    store.snapshot()
    expect(databases.map(({ open }) => open)).toEqual([true, true, true])
    store.close()
    expect(databases.map(({ open }) => open)).toEqual([true, false, false])
  })

  it('serve the queries of a graph with consistency snapshot', async () => {
    const graph = createGraph(createSqliteStore(connect(), { connect }), { consistency: 'snapshot' })
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
    const token = await graph.tokens.issue({ viewer: '1', app: 'test', scopes: [] })
    expect(await graph.getMe(token)).toEqual({ name: 'Ada', id: '1' })
    await graph.close()
  })
})

describe('the dump of a SQLite store', () => {
  it('has all nodes and then all edges at the time of the call, whatever is written afterwards', () => {
    const store = openStore()
    const dump = store.dump()
    store.write([{ op: 'deleteNode', id: '1' }])
    const lines = [...dump].map(line => JSON.parse(line))
    expect(lines.map(line => Object.keys(line)[0])).toEqual(['node', 'node', 'edge', 'edge'])
    const copies = lines.map(
      ({ node, edge }): StoreMutation => (node ? { op: 'putNode', node } : { op: 'putEdge', edge }),
    )
    expect(copies).toEqual(expect.arrayContaining([...MUTATIONS]))
  })

  it('opens a store that was not opened before', () => {
    openStore().close()
    const store = createSqliteStore(connect(), { connect })
    expect([...store.dump()]).toHaveLength(MUTATIONS.length)
  })

  it('has each of thousands of records once, and releases its connection even if reading stops early', () => {
    const store = openStore()
    const targets = Array.from({ length: 2500 }, (_, index) => `${index + 10}`)
    store.write(targets.map(id => ({ op: 'putNode', node: putNode(id) })))
    store.write(targets.map((target, index) => ({ op: 'putEdge', edge: putEdge(target, index % 3) })))
    expect(new Set(store.dump()).size).toBe(2 * (targets.length + 2))
    for (const _ of store.dump()) break
    store.dump()[Symbol.iterator]().return?.()
    store.snapshot().close()
    expect(databases).toHaveLength(2)
  })
})

describe('a SQLite store', () => {
  it.each([
    [
      undefined,
      'createSqliteStore: "database" must be a database of better-sqlite3, node:sqlite or bun:sqlite; received undefined',
    ],
    [
      './graph.db',
      'createSqliteStore: "database" must be a database of better-sqlite3, node:sqlite or bun:sqlite; received "./graph.db"',
    ],
    [
      { prepare: () => undefined },
      'createSqliteStore: "database" must be a database of better-sqlite3, node:sqlite or bun:sqlite; received an object with prepare',
    ],
  ])('cannot be created with a value that is not a database: %s', (database, message) => {
    // @ts-expect-error the types reject it
    expect(() => createSqliteStore(database)).toThrow(message)
  })

  it('cannot be created with an unknown option', () => {
    // @ts-expect-error the types reject it
    expect(() => createSqliteStore(connect(), { wal: true })).toThrow(
      'createSqliteStore: options must be one of "connect", "ids"; received "wal"',
    )
  })

  it('throws if it is called while it is not open', () => {
    const store = createSqliteStore(connect(), { connect })
    expect(() => store.read(EMPTY_REQUEST)).toThrow(TypeError)
    store.open()
    store.close()
    expect(() => store.write([])).toThrow(
      'store: the SQLite store must be open; received a store that is not open',
    )
    expect(() => store.snapshot()).toThrow(TypeError)
    expect(() => store.dump()).toThrow(TypeError)
  })

  it('throws for a snapshot or a dump if the option connect is missing or returns the same connection', () => {
    const database = connect()
    const alone = createSqliteStore(database)
    alone.open()
    expect(alone.capabilities.snapshots).toBe(false)
    expect(() => alone.snapshot()).toThrow(
      'createSqliteStore: "connect" must be given for a snapshot; received undefined',
    )
    expect(() => alone.dump()).toThrow(
      'createSqliteStore: "connect" must be given for a dump; received undefined',
    )
    const shared = createSqliteStore(database, { connect: () => database })
    shared.open()
    expect(() => shared.snapshot()).toThrow(
      'connect: the result must be a new connection to the database; received ',
    )
  })

  it('declares that it is shared and durable for a file, and neither for memory', () => {
    expect(createSqliteStore(connect()).capabilities).toMatchObject({ shared: true, durable: true })
    for (const name of [':memory:', '']) {
      const store = createSqliteStore(new Database(name))
      expect(store.capabilities).toMatchObject({ shared: false, durable: false })
    }
  })
})
