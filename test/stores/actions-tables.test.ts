import Database from 'better-sqlite3'
import { createGraph, isViewer, parameter, parseNamedId, type Store } from 'kithgraph'
import { ActionError, actionsOf } from 'kithgraph/actions'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { back, createTableStore, defineTables, fromSession, ref } from 'kithgraph/tables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf, reasonOf } from '../helpers/error-of.ts'
import { startPostgres } from '../helpers/postgres.ts'

const CALLS = 20
const ORG = 7
const OTHER_ORG = 8

const TABLES = `
  create table account (id integer primary key, org integer not null, name text not null);
  create table post (id varchar(36) primary key, account_id integer not null references account, body text not null);
  create index post_account on post (account_id, id);
  insert into account values (1, ${ORG}, 'Ada'), (2, ${ORG}, 'Ben'), (3, ${OTHER_ORG}, 'Cy');
  insert into post values ('ada', 1, 'Of Ada'), ('ben', 2, 'Of Ben')`

const declare = (dialect: 'sqlite' | 'postgres') => {
  const integer = dialect === 'sqlite' ? 'integer' : 'int4'
  const common = {
    schema: dialect === 'sqlite' ? undefined : 'public',
    key: ['id'],
    uniques: [],
    indexes: [],
  }
  const { schema, tables } = defineTables(
    {
      dialect,
      tables: {
        account: {
          ...common,
          name: 'account',
          columns: { id: { type: integer }, org: { type: integer }, name: { type: 'text' } },
          foreignKeys: [],
        },
        post: {
          ...common,
          name: 'post',
          columns: { id: { type: 'text' }, account_id: { type: integer }, body: { type: 'text' } },
          foreignKeys: [{ columns: ['account_id'], table: 'account', references: ['id'] }],
        },
      },
    },
    {
      account: {
        over: 'account',
        where: { org: fromSession(session => session.claims?.org) },
        fields: { name: { default: true } },
        edges: { posts: back('post', 'account_id', { by: 'id' }) },
      },
      post: {
        over: 'post',
        policy: [isViewer({ of: 'account' })],
        fields: { body: { default: true }, account: ref('account', 'account_id') },
      },
    },
    { viewers: ['account'], collections: {} },
  )
  return { schema, tables }
}

/** A database: its store of tables, and a function that sends a statement with parameters. */
type TableDatabase = {
  readonly createStore: (tables: ReturnType<typeof declare>['tables']) => Store
  readonly send: (sql: string, ...values: (string | number)[]) => Promise<readonly unknown[]>
  readonly stop: () => Promise<void>
}

const startSqlite = async (): Promise<TableDatabase> => {
  const database = new Database(':memory:')
  database.exec(TABLES)
  return {
    createStore: tables => createTableStore(database, { tables, tokens: createMemoryStore() }),
    send: async (sql, ...values) => {
      const statement = database.prepare(sql)
      if (statement.reader) return statement.all(...values)
      statement.run(...values)
      return []
    },
    stop: async () => {
      database.close()
    },
  }
}

const startPostgresTables = async (): Promise<TableDatabase> => {
  const server = await startPostgres()
  // With one connection, an action that held one while it runs would wait for itself.
  const pool = server.pool({ max: 1 })
  await pool.query(TABLES)
  return {
    createStore: tables => createTableStore(pool, { tables, tokens: createMemoryStore() }),
    send: async (sql, ...values) => {
      let count = 0
      return (
        await pool.query(
          sql.replaceAll('?', () => `$${++count}`),
          values,
        )
      ).rows
    },
    stop: server.stop,
  }
}

/** Returns the key of a named id with one part. */
const keyOf = (id: string): string => parseNamedId(id)?.key[0] ?? ''

/** The actions of the team, which write with statements of their own. */
const createActions = ({ schema }: ReturnType<typeof declare>, { send }: TableDatabase) => {
  const action = actionsOf(schema)
  return [
    action('account', 'posts.add', {
      policy: [isViewer()],
      returns: 'post',
      parameters: { body: parameter.string({ required: true }), like: parameter.node('post') },
      run: async ({ source, parameters: { body, like }, newId }) => {
        const id = newId('post')
        // The key of a repeated call is the same, so its row exists already.
        await send(
          'insert into post (id, account_id, body) values (?, ?, ?) on conflict (id) do nothing',
          keyOf(id),
          Number(keyOf(source.id)),
          like === undefined ? body : `${body}, like ${like.fields.body}`,
        )
        return { id }
      },
    }),
    action('post', 'update', {
      policy: [isViewer({ of: 'account' })],
      returns: 'post',
      parameters: { body: parameter.string({ required: true }), expected: parameter.string() },
      run: async ({ source, parameters: { body, expected }, graph, session }) => {
        const now = await graph.getNode(session, { id: source.id, type: 'post', fields: 'body' })
        if (expected !== undefined && now.body !== expected)
          throw new ActionError('changed', { status: 409, message: 'The post was changed.' })
        await send('update post set body = ? where id = ?', body, keyOf(source.id))
        return { id: source.id }
      },
    }),
    action('post', 'delete', {
      policy: [isViewer({ of: 'account' })],
      run: async ({ source }) => {
        await send('delete from post where id = ?', keyOf(source.id))
      },
    }),
    action('account', 'rename', {
      policy: [isViewer()],
      run: async ({ source, write }) => {
        await write([{ op: 'patchNode', id: source.id, fields: { name: 'Renamed' } }])
      },
    }),
  ]
}

describe.each([
  ['SQLite', 'sqlite', startSqlite],
  ['Postgres', 'postgres', startPostgresTables],
] as const)('actions over existing tables of %s', (_name, dialect, start) => {
  let database: TableDatabase
  beforeAll(async () => {
    database = await start()
  })
  afterAll(() => database?.stop())

  const open = (consistency: 'read' | 'snapshot' = 'read') => {
    const declaration = declare(dialect)
    const { schema, tables } = declaration
    const actions = createActions(declaration, database)
    const secret = 'a secret that all processes have'
    const graph = createGraph(database.createStore(tables), { schema, actions, secret, consistency })
    const sessionOf = (key: number, org: number) =>
      graph.session({ viewer: `account-${key}`, app: 'web', claims: { org } })
    return { graph, ada: sessionOf(1, ORG), ben: sessionOf(2, ORG), sessionOf }
  }
  const countRows = async () => Object(await database.send('select count(*) as rows from post'))[0].rows
  const publish = { type: 'account', id: 'me', action: 'posts.add' } as const

  it('write with the SQL of the team, and the reply contains the new row', async () => {
    for (const consistency of dialect === 'postgres'
      ? (['read', 'snapshot'] as const)
      : (['read'] as const)) {
      const { graph, ada } = open(consistency)
      const parameters = { body: 'Hello', like: 'post-ada' }
      const post = await graph.callAction(ada, { ...publish, parameters, fields: 'body,account{name}' })
      expect(post).toMatchObject({ body: 'Hello, like Of Ada', account: { name: 'Ada' } })
      const list = await graph.getEdge(ada, { id: 'me', edge: 'posts', fields: 'id' })
      expect(list.data.map(({ id }) => id)).toContain(post.id)
      await graph.callAction(ada, { type: 'post', id: post.id, action: 'delete' })
      expect(await reasonOf(graph.getNode(ada, { id: post.id, type: 'post' }))).toBe('node_not_found')
    }
  })

  it('insert one row for all calls with a key, with the id of newId as its key', async () => {
    const { graph, ada } = open()
    const before = Number(await countRows())
    const call = () =>
      graph.callAction(ada, { ...publish, parameters: { body: 'Once' }, idempotencyKey: 'key' })
    const results = await Promise.all(Array.from({ length: CALLS }, call))
    expect(new Set(results.map(({ id }) => id)).size).toBe(1)
    expect(Number(await countRows())).toBe(before + 1)
  })

  it('do not run for rows that the session does not have, or that a policy hides', async () => {
    const { graph, ada, ben, sessionOf } = open()
    const parameters = { body: 'Changed' }
    const update = { type: 'post', action: 'update', parameters } as const
    expect(await reasonOf(graph.callAction(ada, { ...update, id: 'post-ben' }))).toBe('node_not_found')
    expect(await reasonOf(graph.callAction(ada, { ...publish, id: 'account-2', parameters }))).toBe(
      'action_denied',
    )
    expect(await reasonOf(graph.callAction(ada, { ...publish, id: 'account-3', parameters }))).toBe(
      'node_not_found',
    )
    const elsewhere = sessionOf(1, OTHER_ORG)
    expect(await reasonOf(graph.callAction(elsewhere, { ...publish, parameters }))).toBe('node_not_found')
    const hidden = { body: 'a', like: 'post-ben' }
    expect(await reasonOf(graph.callAction(ada, { ...publish, parameters: hidden }))).toBe(
      'invalid_parameter',
    )
    expect(await graph.getNode(ben, { id: 'post-ben', type: 'post' })).toMatchObject({ body: 'Of Ben' })
  })

  it('read the graph with the claims of their session', async () => {
    const { graph, ada } = open()
    const update = { type: 'post', id: 'post-ada', action: 'update' } as const
    const stale = { body: 'New', expected: 'Something else' }
    const error = await errorOf(graph.callAction(ada, { ...update, parameters: stale }))
    expect(error).toMatchObject({ status: 409, data: { failure: 'changed' } })
    const parameters = { body: 'Of Ada', expected: 'Of Ada' }
    const post = await graph.callAction(ada, { ...update, parameters, fields: 'body' })
    expect(post.body).toBe('Of Ada')
  })

  it('cannot use write, which is a TypeError for the program and an internal error for the caller', async () => {
    const { graph, ada } = open()
    const error = await errorOf(graph.callAction(ada, { type: 'account', id: 'me', action: 'rename' }))
    expect([error.reason, error.cause]).toEqual(['internal_error', expect.any(TypeError)])
    expect(await graph.getMe(ada)).toMatchObject({ name: 'Ada' })
  })

  it('run for requests over HTTP, whose replies contain the new row', async () => {
    const { graph } = open()
    const token = await graph.tokens.issue({ viewer: 'account-1', app: 'web', claims: { org: ORG } })
    const handler = createHandler(graph)
    const send = async () => {
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'http' }
      const body = new URLSearchParams({ body: 'Over HTTP', fields: 'body,account{name}' })
      const request = new Request('http://graph.test/me/posts', { method: 'POST', headers, body })
      return (await handler(request)).json()
    }
    const reply = await send()
    expect(reply).toMatchObject({ body: 'Over HTTP', account: { name: 'Ada' } })
    expect(await send()).toEqual(reply)
  })
})
