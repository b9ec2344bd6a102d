import { createTableStore, defineTables, fromSession } from 'kithgraph/tables'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '../../src/base/session.ts'
import type { Store, StoreReadOptions } from '../../src/store/contract.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { createRange } from '../../src/testing/records.ts'
import { createFailingPool } from '../helpers/failing-pool.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const noKeys = { foreignKeys: [], uniques: [], indexes: [] }
const note = {
  name: 'note',
  schema: 'public',
  columns: { id: { type: 'int4' }, tenant: { type: 'text' }, body: { type: 'text' } },
  key: ['id'],
  ...noKeys,
}
const slot = {
  name: 'slot',
  schema: 'public',
  columns: { id: { type: 'int4' }, starts_at: { type: 'timestamptz' }, room: { type: 'uuid' } },
  key: ['id'],
  ...noKeys,
}
const description = {
  dialect: 'postgres',
  tables: {
    note,
    slot,
    open_note: { ...note, name: 'open_note' },
    invoker_view: { ...note, name: 'invoker_view', view: true },
    owner_view: { ...note, name: 'owner_view', view: true },
    invoker_view_of_owner_view: { ...note, name: 'invoker_view_of_owner_view', view: true },
    view_of_open_note: { ...note, name: 'view_of_open_note', view: true },
  },
} as const

const declare = (over: Exclude<keyof typeof description.tables, 'slot'>) =>
  defineTables(
    description,
    { note: { over, fields: { body: true, tenant: true } } },
    { viewers: ['note'], collections: {} },
  )

const TENANTS = ['red', 'blue'] as const
type Tenant = (typeof TENANTS)[number]
const sessionOf = (tenant: Tenant | 'unknown'): Session => ({
  viewer: undefined,
  app: tenant,
  scopes: [],
  issuedAt: 0,
  expiresAt: undefined,
})
const optionsOf = (session: Session | undefined): StoreReadOptions => ({
  signal: undefined,
  deadline: Date.now() + 5000,
  minRevision: undefined,
  session,
})

const settings = (session: Session | undefined) => {
  if (session === undefined || session.app === 'unknown') throw new Error('no tenant')
  return { role: 'reader', 'app.tenant': session.app }
}

let server: PostgresServer
let admin: pg.Pool

beforeAll(async () => {
  server = await startPostgres()
  admin = server.pool()
  await admin.query(`
create table note (id int primary key, tenant text not null, body text not null);
insert into note select i, (array['red', 'blue'])[1 + i % 2], 'body ' || i from generate_series(1, 40) as i;
create table open_note as select * from note;
create table slot (id int primary key, starts_at timestamptz not null, room uuid not null);
insert into slot values
  (1, '2026-03-01 12:00:00.123+00', 'c0ffee00-0000-4000-8000-00000000000a'),
  (2, '2026-03-01 12:00:00+00', 'c0ffee00-0000-4000-8000-00000000000b');
alter table note enable row level security;
create policy by_tenant on note using (tenant = current_setting('app.tenant'));
create view invoker_view with (security_invoker = true) as select * from note;
create view owner_view as select * from note;
create view invoker_view_of_owner_view with (security_invoker = true) as select * from owner_view;
create view view_of_open_note with (security_invoker = true) as select * from open_note;
create role reader;
create role auditor bypassrls;
grant select on all tables in schema public to reader, auditor`)
})
afterAll(() => server.stop())

const ALL_NODES = { ...EMPTY_REQUEST, nodes: Array.from({ length: 40 }, (_, index) => `note-${index + 1}`) }

/** Returns the tenants whose rows a read returns. */
const readTenants = async (store: Pick<Store, 'read'>, session: Session | undefined): Promise<unknown> => {
  const { nodes } = await store.read(ALL_NODES, optionsOf(session))
  return [...new Set(nodes.flatMap(node => node?.fields.tenant ?? []))]
}

const isTenant = (tenants: unknown, tenant: Tenant): boolean =>
  JSON.stringify(tenants) === JSON.stringify([tenant])

describe('a table store with settings', () => {
  it('returns the rows of the tenant of each session alone', async () => {
    const { tables } = declare('note')
    const store = createTableStore(server.pool({ max: 1 }), { tables, settings, rowSecurity: ['note'] })
    for (const tenant of TENANTS) expect(await readTenants(store, sessionOf(tenant))).toEqual([tenant])
  })

  it('never returns a row of the other tenant on the same connection, wherever a statement fails', async () => {
    const { tables } = declare('note')
    const pool = server.pool({ max: 1 })
    const failing = createFailingPool(pool, admin)
    const store = createTableStore(failing, { tables, settings, rowSecurity: ['note'] })
    let failures = 0
    for (const kind of ['error', 'loss', 'server'] as const)
      for (let statement = 1; statement <= 6; statement++)
        for (const tenant of TENANTS) {
          failing.failAt(statement, kind)
          const other = TENANTS.find(one => one !== tenant) ?? 'blue'
          const [result] = await Promise.allSettled([readTenants(store, sessionOf(tenant))])
          if (result?.status === 'rejected') failures++
          else expect(isTenant(result?.value, tenant)).toBe(true)
          failing.stopFailing()
          expect(await readTenants(store, sessionOf(other))).toEqual([other])
        }
    expect(failures).toBeGreaterThan(20)
    const { rows } = await pool.query(
      "select current_user as role, current_setting('app.tenant', true) as tenant",
    )
    expect(rows[0]?.role).not.toBe('reader')
    expect(rows[0]?.tenant ?? '').toBe('')
  })

  it('sends nothing for a session that settings rejects', async () => {
    const { tables } = declare('note')
    const pool = server.pool({ max: 1 })
    let connections = 0
    pool.on('connect', () => connections++)
    const store = createTableStore(pool, { tables, settings, rowSecurity: ['note'] })
    for (const session of [undefined, sessionOf('unknown')])
      await expect(readTenants(store, session)).rejects.toThrow('no tenant')
    expect(connections).toBe(0)
  })

  it('sets its settings for a snapshot, which keeps the rows of its beginning', async () => {
    const { tables } = declare('note')
    const store = createTableStore(server.pool(), { tables, settings, rowSecurity: ['note'] })
    const view = await store.snapshot({ session: sessionOf('blue') })
    try {
      expect(await readTenants(view, sessionOf('blue'))).toEqual(['blue'])
      await admin.query("insert into note values (100, 'blue', 'later')")
      const later = { ...EMPTY_REQUEST, nodes: ['note-100'] }
      expect((await view.read(later, optionsOf(sessionOf('blue')))).nodes).toEqual([undefined])
      expect((await store.read(later, optionsOf(sessionOf('blue')))).nodes[0]?.fields.body).toBe('later')
    } finally {
      await view.close()
    }
  })

  it('passes hostile values as parameters', async () => {
    const { tables } = declare('note')
    const store = createTableStore(server.pool(), {
      tables,
      settings: session => ({ role: 'reader', 'app.tenant': session?.app ?? '' }),
      rowSecurity: ['note'],
    })
    const hostile = { ...sessionOf('red'), app: "red'; drop table note; --" }
    expect(await readTenants(store, hostile)).toEqual([])
    expect(await readTenants(store, sessionOf('red'))).toEqual(['red'])
  })

  it('rejects reads of a table that claims row-level security but does not have it', async () => {
    const cases = [
      [declare('open_note'), 'open_note', settings],
      [declare('owner_view'), 'owner_view', settings],
      [declare('invoker_view_of_owner_view'), 'invoker_view_of_owner_view', settings],
      [declare('view_of_open_note'), 'view_of_open_note', settings],
      // The owner of a table bypasses its policies.
      [declare('note'), 'note', () => ({ 'app.tenant': 'red' })],
    ] as const
    for (const [{ tables }, name, settingsOf] of cases) {
      const store = createTableStore(server.pool(), { tables, settings: settingsOf, rowSecurity: [name] })
      await expect(readTenants(store, sessionOf('red'))).rejects.toThrow(
        `does not apply to "public"."${name}"`,
      )
    }
  })

  it.each(['role', 'ROLE', 'session_authorization'])(
    'checks the row-level security of each role that the setting %s selects',
    async name => {
      const { tables } = declare('note')
      const store = createTableStore(server.pool({ max: 1 }), {
        tables,
        settings: session => ({ [name]: session?.app ?? '', 'app.tenant': 'red' }),
        rowSecurity: ['note'],
      })
      const sessionAs = (app: string): Session => ({ ...sessionOf('red'), app })
      expect(await readTenants(store, sessionAs('reader'))).toEqual(['red'])
      await expect(readTenants(store, sessionAs('auditor'))).rejects.toThrow('does not apply to')
      expect(await readTenants(store, sessionAs('reader'))).toEqual(['red'])
    },
  )

  it('checks the row-level security of the user of each replica', async () => {
    const { tables } = declare('note')
    const asReader = server.pool({ max: 1, options: '-c role=reader' })
    const asAuditor = server.pool({ max: 1, options: '-c role=auditor' })
    const store = createTableStore(asReader, {
      tables,
      settings: () => ({ 'app.tenant': 'red' }),
      rowSecurity: ['note'],
      replicas: [asReader, asAuditor],
    })
    // A read that a replica rejects is repeated on the primary.
    for (let read = 0; read < 4; read++) expect(await readTenants(store, sessionOf('red'))).toEqual(['red'])
  })

  it('reads a view with security_invoker as the role of the session', async () => {
    const { tables } = declare('invoker_view')
    const store = createTableStore(server.pool(), { tables, settings, rowSecurity: ['invoker_view'] })
    expect(await readTenants(store, sessionOf('red'))).toEqual(['red'])
  })
})

describe('the options of a table store', () => {
  it.each([
    [{ settings }, 'all tables that the graph uses; received none of note'],
    [{ settings, rowSecurity: ['nota'] }, 'names of tables that the graph uses: one of "note"'],
    [{ settings, rowSecurity: ['note'], withoutRowSecurity: ['note'] }, 'tables that are not in rowSecurity'],
    [{ rowSecurity: ['note'] }, 'a function, because rowSecurity is given'],
    [{ setings: settings }, 'did you mean settings?'],
    [{ settings: 5 }, '"settings" must be a function'],
    [{ replicas: [5] }, '"replicas[0]" must be a Pool of pg'],
    [{ prepare: 'no' }, '"prepare" must be a boolean'],
  ])('are rejected with what was expected: %j', (options, message) => {
    const { tables } = declare('note')
    const create = () => createTableStore(admin, { tables, ...(options as object) })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
  })

  it('are rejected for a database that is no client of Postgres', () => {
    const { tables } = declare('note')
    expect(() => createTableStore({} as never, { tables })).toThrow(
      '"database" must be an open database: a Pool of pg, a PGlite, a Database of better-sqlite3 or a DatabaseSync of node:sqlite; received an empty object',
    )
    expect(() => createTableStore(admin, undefined as never)).toThrow(
      'createTableStore: "options" must be an object; received undefined',
    )
    expect(() => createTableStore(admin, { tables: {} as never })).toThrow('"tables" must be the tables')
  })
})

describe('the session filters of a table store', () => {
  const rowsFor = async (value: unknown): Promise<number> => {
    const { tables } = defineTables(
      description,
      { note: { over: 'open_note', where: { tenant: fromSession(() => value) }, fields: { body: true } } },
      { viewers: ['note'] },
    )
    const store = createTableStore(admin, { tables })
    const { nodes } = await store.read(ALL_NODES, optionsOf(sessionOf('red')))
    return nodes.filter(node => node !== undefined).length
  }

  it('let no row pass without a value of the type of the column', async () => {
    expect(await rowsFor('red')).toBe(20)
    for (const value of [
      undefined,
      null,
      5,
      true,
      {},
      ['red'],
      'green',
      '\u0000',
      '\ud800',
      "red' or true --",
    ])
      expect(await rowsFor(value), String(value)).toBe(0)
  })
})

describe('a session filter', () => {
  const keysFor = async (
    column: 'starts_at' | 'room',
    value: unknown,
  ): Promise<readonly (string | undefined)[]> => {
    const filter = fromSession(() => value)
    const where = column === 'room' ? { room: filter } : { starts_at: filter }
    const types = { slot: { over: 'slot', where, fields: { starts_at: true } } } as const
    const store = createTableStore(admin, {
      tables: defineTables(description, types, { viewers: ['slot'] }).tables,
    })
    const { nodes } = await store.read(
      { ...EMPTY_REQUEST, nodes: ['slot-1', 'slot-2'] },
      optionsOf(sessionOf('red')),
    )
    return nodes.flatMap(node => node?.id ?? [])
  }

  it('compares a time with a string in ISO 8601', async () => {
    expect(await keysFor('starts_at', '2026-03-01T12:00:00.123Z')).toEqual(['slot-1'])
    expect(await keysFor('starts_at', '2026-03-01T13:00:00+01:00')).toEqual(['slot-2'])
    for (const value of [
      '2026-03-01T12:00:00.124Z',
      '1772366400000000',
      1_772_366_400_000,
      'infinity',
      'now',
    ])
      expect(await keysFor('starts_at', value), `${value}`).toEqual([])
  })

  it('compares a uuid in capitals too', async () => {
    expect(await keysFor('room', 'C0FFEE00-0000-4000-8000-00000000000A')).toEqual(['slot-1'])
    expect(await keysFor('room', '{c0ffee00-0000-4000-8000-00000000000a}')).toEqual([])
  })
})

describe('an unknown collection', () => {
  it('is empty', async () => {
    const store = createTableStore(admin, { tables: declare('open_note').tables })
    const ranges = [createRange('root', 'nothing', { limit: 3, count: true })]
    const result = await store.read({ ...EMPTY_REQUEST, ranges }, optionsOf(sessionOf('red')))
    expect(result.ranges[0]).toMatchObject({ entries: [], hasMore: false, total: 0 })
  })
})
