import { createPostgresStore, type PostgresPool } from 'kithgraph/postgres'
import { describe, expect, it } from 'vitest'

const pool: PostgresPool = { connect: () => Promise.reject(new Error('no server')) }

const refused = (client: unknown, options?: unknown): void => {
  Reflect.apply(createPostgresStore, undefined, [client, options])
}

describe('createPostgresStore', () => {
  it('says what it expected in the place of a client', () => {
    for (const [client, came] of [
      [undefined, 'undefined'],
      ['postgres://localhost', '"postgres://localhost"'],
      [{ query: () => {} }, 'an object with query'],
    ] as const)
      expect(() => refused(client)).toThrow(
        new TypeError(`createPostgresStore: expected a Pool of pg or a PGlite, came ${came}`),
      )
  })

  it('refuses options that it does not know, and values that they cannot have', () => {
    expect(() => refused(pool, { table: 'x' })).toThrow(
      new TypeError('createPostgresStore: unknown option "table"; expected one of schema, replicas'),
    )
    expect(() => refused(pool, { replicas: [{}] })).toThrow(
      new TypeError('createPostgresStore: replicas must be Pools of pg, came an empty object'),
    )
    for (const schema of ['', 'a b', '"', 'x'.repeat(33), 'a\u0000', 7])
      expect(() => refused(pool, { schema }), String(schema)).toThrow(
        /^createPostgresStore: schema must be a name of letters, digits, _, \$ and -, of at most 32 bytes, came /,
      )
  })

  it('lets out what the client throws as it is', async () => {
    await expect(createPostgresStore(pool).open()).rejects.toThrow('no server')
  })

  it('has snapshots where there is more than one connection', () => {
    const pglite = {
      query: async () => ({ rows: [] }),
      exec: async () => {},
      transaction: () => Promise.reject(),
    }
    expect(createPostgresStore(pool).capabilities).toEqual({
      snapshots: true,
      durable: true,
      shared: true,
      atomicity: 'batch',
    })
    const kept = { ...pglite, dataDir: './graph' }
    expect([pglite, kept].map(client => createPostgresStore(client).capabilities)).toEqual([
      { snapshots: false, durable: false, shared: false, atomicity: 'batch' },
      { snapshots: false, durable: true, shared: false, atomicity: 'batch' },
    ])
  })
})
