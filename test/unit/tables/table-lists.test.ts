import Database from 'better-sqlite3'
import { createGraph, fieldEquals, isViewer } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { back, collection, createTableStore, defineTables, ref } from 'kithgraph/tables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const COLUMNS = {
  id: { type: 'integer' },
  owner_id: { type: 'integer' },
  state: { type: 'text' },
  size: { type: 'integer' },
  rank: { type: 'integer' },
} as const
const noKeys = { foreignKeys: [], uniques: [], indexes: [] }
const description = {
  dialect: 'sqlite',
  tables: {
    person: { name: 'person', columns: { id: COLUMNS.id }, key: ['id'], ...noKeys },
    photo: { name: 'photo', columns: COLUMNS, key: ['id'], ...noKeys },
  },
} as const

const { schema, tables } = defineTables(
  description,
  {
    person: {
      over: 'person',
      fields: {},
      edges: {
        photos: back('photo', 'owner_id', { orders: { large: { by: 'size' }, first: { by: 'rank' } } }),
      },
    },
    photo: {
      over: 'photo',
      policy: [fieldEquals('state', 'public'), isViewer({ of: 'owner' })],
      fields: { state: true, size: true, owner: ref('person', 'owner_id') },
    },
  },
  { viewers: ['person'], collections: { photos: collection('photo', { by: 'size' }) } },
)

let database: Database.Database
beforeAll(() => {
  database = new Database(':memory:').exec(`
    create table person (id integer primary key);
    create table photo (id integer primary key, owner_id integer, state text, size integer, rank integer);
    insert into person values (1), (2);
    insert into photo values (1, 1, 'public', 30, 701), (2, 1, 'draft', 10, 703), (3, 1, 'public', 20, 702),
      (4, 2, 'public', 40, 704)`)
})
afterAll(() => database.close())

const openGraph = () => {
  const store = createTableStore(database, { tables, tokens: createMemoryStore() })
  const graph = createGraph(store, { schema, secret: 'a secret of the tests' })
  return { graph, session: graph.session({ viewer: 'person-2', app: 'test' }) }
}
const PHOTOS = { id: 'person-1', edge: 'photos' } as const

describe('a list over tables', () => {
  it('is in the order that a call names', async () => {
    const { graph, session } = openGraph()
    const readIds = async (order: 'large' | 'first') =>
      (await graph.getEdge(session, { ...PHOTOS, order })).data.map(({ id }) => id)
    expect(await readIds('large')).toEqual(['photo-1', 'photo-3'])
    expect(await readIds('first')).toEqual(['photo-3', 'photo-1'])
  })

  it('under a policy of alternatives counts only its own rows', async () => {
    const { graph, session } = openGraph()
    expect((await graph.getEdge(session, { ...PHOTOS, summary: true })).summary?.total_count).toBe(2)
  })

  it('has a cursor with the value of its order only if a field shows the value', async () => {
    const { graph, session } = openGraph()
    const readCursor = async (order: 'large' | 'first') => {
      const { paging } = await graph.getEdge(session, { ...PHOTOS, order, limit: 1 })
      return paging?.cursors?.after ?? ''
    }
    expect(await readCursor('large')).toContain(btoa('=30').replace(/=+$/, ''))
    expect(await readCursor('first')).not.toContain(btoa('=702').replace(/=+$/, ''))
  })
})

describe('a collection over tables', () => {
  it('is an edge of the node root', async () => {
    const { graph, session } = openGraph()
    const root = await graph.getNode(session, { id: 'root', fields: 'photos{size}' })
    expect(root).toMatchObject({ photos: { data: [{ size: 40 }, { size: 30 }, { size: 20 }] } })
  })

  it('lets a graph issue tokens in a store of their own', async () => {
    const { graph } = openGraph()
    const token = await graph.tokens.issue({ viewer: 'person-2', app: 'test' })
    expect(await graph.getMe(token)).toEqual({ id: 'person-2' })
  })
})
