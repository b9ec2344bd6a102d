import Database from 'better-sqlite3'
import { createGraph, isViewer, viewerHasEdge } from 'kithgraph'
import { back, createTableStore, defineTables, ref, through } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'

const name = { type: 'text', inexact: true } as const
const table = { foreignKeys: [], uniques: [], indexes: [] } as const

const { schema, tables } = defineTables(
  {
    dialect: 'sqlite',
    tables: {
      person: { ...table, name: 'person', columns: { id: name }, key: ['id'] },
      photo: { ...table, name: 'photo', columns: { id: { type: 'integer' }, owner: name }, key: ['id'] },
      follow: {
        ...table,
        name: 'follow',
        columns: { follower: name, followed: name },
        key: ['follower', 'followed'],
      },
    },
  },
  {
    person: {
      over: 'person',
      fields: {},
      edges: { photos: back('photo', 'owner'), follows: through('follow', 'follower', 'person', 'followed') },
    },
    photo: {
      over: 'photo',
      policy: [isViewer({ of: 'owner' }), viewerHasEdge('follows', { of: 'owner' })],
      fields: { owner: ref('person', 'owner') },
    },
  },
  { viewers: ['person'], collections: {} },
)

const openGraph = () => {
  const database = new Database(':memory:')
  database.exec(`
create table person (id text collate nocase primary key);
create table photo (id integer primary key, owner text collate nocase not null references person);
create table follow (follower text collate nocase, followed text collate nocase, primary key (follower, followed));
insert into person values ('Ada'), ('Bob'), ('Cy');
insert into photo values (1, 'ADA'), (2, 'ada'), (3, 'BOB'), (4, 'CY');
insert into follow values ('ADA', 'bob')`)
  const graph = createGraph(createTableStore(database, { tables }), { schema, secret: 'x'.repeat(32) })
  return { graph, session: graph.session({ viewer: 'person-Ada', app: 'demo', scopes: [] }) }
}

describe('a reference in SQLite that is equal to its key in another spelling', () => {
  it('leads to the row of the key, as the list of this row contains it', async () => {
    const { graph, session } = openGraph()
    const owner = { id: 'person-Ada' }
    expect(await graph.getNode(session, { id: 'photo-1', fields: 'owner{id}' })).toEqual({
      id: 'photo-1',
      owner,
    })
    expect(
      await graph.getMe(session, { fields: 'photos.summary(true){owner{id}},follows{photos{owner}}' }),
    ).toMatchObject({
      photos: {
        data: [
          { id: 'photo-2', owner },
          { id: 'photo-1', owner },
        ],
        summary: { total_count: 2 },
      },
      follows: {
        data: [{ id: 'person-Bob', photos: { data: [{ id: 'photo-3', owner: { id: 'person-Bob' } }] } }],
      },
    })
  })

  it('is hidden by policies as the reference to the row of the key is', async () => {
    const { graph, session } = openGraph()
    await expect(graph.getNode(session, { id: 'photo-4' })).rejects.toMatchObject({
      reason: 'node_not_found',
    })
    const { data } = await graph.getEdge(session, { id: 'person-Cy', edge: 'photos' })
    expect(data).toEqual([])
  })

  it('gives the row no second id', async () => {
    const { graph, session } = openGraph()
    await expect(graph.getNode(session, { id: 'person-ADA' })).rejects.toMatchObject({
      reason: 'node_not_found',
    })
    const follows = { id: 'person-Ada', edge: 'follows' } as const
    expect(await graph.hasEdge(session, { ...follows, target: 'person-Bob' })).toBe(true)
    expect(await graph.hasEdge(session, { ...follows, target: 'person-bob' })).toBe(false)
  })
})
