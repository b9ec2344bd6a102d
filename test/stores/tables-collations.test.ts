import { createGraph, isViewer, viewerHasEdge } from 'kithgraph'
import { back, createTableStore, defineTables, ref, through } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { watchPool } from '../helpers/watched-clients.ts'

type Collation = 'C' | 'POSIX' | 'en-x-icu' | undefined

/** The collation of the key of `person`, and that of the columns that refer to it. */
const PAIRS: readonly (readonly [key: Collation, reference: Collation])[] = [
  ['C', undefined],
  [undefined, 'C'],
  ['C', 'POSIX'],
  ['en-x-icu', 'C'],
]

const columnOf = (collation: Collation) => ({
  type: 'text' as const,
  collation: collation && `"pg_catalog"."${collation}"`,
})

const declare = (schemaName: string, key: Collation, reference: Collation) => {
  const table = { schema: schemaName, foreignKeys: [], uniques: [], indexes: [] } as const
  return defineTables(
    {
      dialect: 'postgres',
      tables: {
        person: { ...table, name: 'person', columns: { id: columnOf(key) }, key: ['id'] },
        photo: {
          ...table,
          name: 'photo',
          columns: { id: { type: 'int4' }, owner: columnOf(reference) },
          key: ['id'],
        },
        follow: {
          ...table,
          name: 'follow',
          columns: { follower: columnOf(reference), followed: columnOf(reference) },
          key: ['follower', 'followed'],
        },
      },
    },
    {
      person: {
        over: 'person',
        policy: [isViewer(), viewerHasEdge('follows'), viewerHasEdge('followers')],
        fields: {},
        edges: {
          photos: back('photo', 'owner'),
          follows: through('follow', 'follower', 'person', 'followed'),
          followers: through('follow', 'followed', 'person', 'follower'),
        },
      },
      photo: {
        over: 'photo',
        policy: [isViewer({ of: 'owner' }), viewerHasEdge('follows', { of: 'owner' })],
        fields: { owner: ref('person', 'owner') },
      },
    },
    { viewers: ['person'], collections: {} },
  )
}

let server: PostgresServer
let admin: pg.Pool
beforeAll(async () => {
  server = await startPostgres()
  admin = server.pool()
})
afterAll(() => server.stop())

const collate = (collation: Collation): string => (collation === undefined ? '' : `collate "${collation}"`)

/** Person 1 follows person 2, and person 3 follows person 1. Each has a photo. Nobody refers to the others. */
const createTables = (schema: string, key: Collation, reference: Collation) =>
  admin.query(`
create schema ${schema};
set search_path = ${schema};
create table person (id text ${collate(key)} primary key);
create table photo (id int primary key, owner text ${collate(reference)} not null references person);
create index on photo (owner, id);
create table follow (follower text ${collate(reference)} not null references person,
  followed text ${collate(reference)} not null references person, primary key (follower, followed));
create index on follow (followed, follower);
insert into person select i from generate_series(1, 3000) as i;
insert into photo select i, i from generate_series(1, 3000) as i;
insert into follow values (1, 2), (3, 1);
insert into follow select i, i + 1 from generate_series(10, 2999) as i;
analyze;
reset search_path`)

describe('tables whose references have another collation than their keys', () => {
  it.each(PAIRS)('are read in all ways, by indexes alone: %s and %s', async (key, reference) => {
    const name = `pair_${PAIRS.findIndex(pair => pair[0] === key && pair[1] === reference)}`
    await createTables(name, key, reference)
    const { schema, tables } = declare(name, key, reference)
    const { client, statements } = watchPool(server.pool())
    const graph = createGraph(createTableStore(client, { tables }), { schema, secret: 'x'.repeat(32) })
    const session = graph.session({ viewer: 'person-1', app: 'demo', scopes: [] })
    const photos = (number: number) => ({ data: [{ id: `photo-${number}` }] })
    expect(
      await graph.getMe(session, { fields: 'photos{id},follows{photos{id}},followers{id,photos{id}}' }),
    ).toMatchObject({
      photos: photos(1),
      follows: { data: [{ id: 'person-2', photos: photos(2) }] },
      followers: { data: [{ id: 'person-3' }] },
    })
    expect(await graph.getNode(session, { id: 'photo-2', fields: 'owner{photos{id}}' })).toMatchObject({
      owner: { id: 'person-2', photos: photos(2) },
    })
    expect(await graph.hasEdge(session, { id: 'person-1', edge: 'follows', target: 'person-2' })).toBe(true)
    for (const statement of statements) {
      const { rows } = await admin.query(`explain (generic_plan) ${statement}`)
      expect(rows.map(row => row['QUERY PLAN']).filter(line => line.includes('Seq Scan'))).toEqual([])
    }
  })
})

const declareInexact = (type: 'text' | 'citext', schemaName: string) => {
  const name = { type, inexact: true, ...(type === 'citext' && { sqlType: '"public"."citext"' }) } as const
  const table = { schema: schemaName, foreignKeys: [], uniques: [], indexes: [] } as const
  return defineTables(
    {
      dialect: 'postgres',
      tables: {
        person: { ...table, name: 'person', columns: { id: name }, key: ['id'] },
        photo: { ...table, name: 'photo', columns: { id: { type: 'int4' }, owner: name }, key: ['id'] },
      },
    },
    {
      person: { over: 'person', fields: {}, edges: { photos: back('photo', 'owner') } },
      photo: {
        over: 'photo',
        policy: [isViewer({ of: 'owner' })],
        fields: { owner: ref('person', 'owner') },
      },
    },
    { viewers: ['person'], collections: {} },
  )
}

describe('a reference that is equal to its key in another spelling', () => {
  it.each([
    ['text', 'text collate ignore_case'],
    ['citext', 'citext'],
  ] as const)('leads to the row of the key, as the list of this row contains it: %s', async (type, ddl) => {
    const name = `spelled_${type}`
    await admin.query(`
create extension if not exists citext;
create collation if not exists ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create schema ${name};
create table ${name}.person (id ${ddl} primary key);
create table ${name}.photo (id int primary key, owner ${ddl} not null references ${name}.person);
insert into ${name}.person values ('Ada'), ('Bob');
insert into ${name}.photo values (1, 'ADA'), (2, 'ada'), (3, 'BOB')`)
    const { schema, tables } = declareInexact(type, name)
    const { client, statements } = watchPool(server.pool())
    const graph = createGraph(createTableStore(client, { tables }), { schema, secret: 'x'.repeat(32) })
    const session = graph.session({ viewer: 'person-Ada', app: 'demo', scopes: [] })
    const owner = { id: 'person-Ada' }
    expect(await graph.getNode(session, { id: 'photo-1', fields: 'owner{id}' })).toEqual({
      id: 'photo-1',
      owner,
    })
    expect(statements).toHaveLength(1)
    const list = await graph.getMe(session, { fields: 'photos.summary(true){owner{id}}' })
    expect(list.photos).toMatchObject({
      data: [
        { id: 'photo-2', owner },
        { id: 'photo-1', owner },
      ],
      summary: { total_count: 2 },
    })
    await expect(graph.getNode(session, { id: 'photo-3' })).rejects.toMatchObject({
      reason: 'node_not_found',
    })
    await expect(graph.getNode(session, { id: 'person-ADA' })).rejects.toMatchObject({
      reason: 'node_not_found',
    })
  })
})
