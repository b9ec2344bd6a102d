import { createPostgresStore } from 'kithgraph/postgres'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createPool } from '../../helpers/watched-clients.ts'

const pool = createPool(() => Promise.reject(new Error('no server')))

const createUntyped = (client: unknown, options?: unknown): void => {
  Reflect.apply(createPostgresStore, undefined, [client, options])
}

describe('createPostgresStore', () => {
  it('rejects a value that is not a client', () => {
    for (const [client, received] of [
      [undefined, 'undefined'],
      ['postgres://localhost', '"postgres://localhost"'],
      [{ query: () => {} }, 'an object with query'],
    ] as const)
      expect(() => createUntyped(client)).toThrow(
        new TypeError(`createPostgresStore: "client" must be a Pool of pg or a PGlite; received ${received}`),
      )
  })

  it('rejects a Client of pg, which is no pool', () => {
    const message = /must be a Pool of pg( or a PGlite)?; received /
    expect(() => createUntyped(new pg.Client())).toThrow(message)
    expect(() => createUntyped(pool, { replicas: [new pg.Client()] })).toThrow(message)
  })

  it('rejects unknown options and invalid values', () => {
    expect(() => createUntyped(pool, { table: 'x' })).toThrow(
      new TypeError(
        'createPostgresStore: options must be one of "schema", "replicas", "writeTimeoutMs", "prepare", "ids"; received "table"',
      ),
    )
    expect(() => createUntyped(pool, { replicas: [{}] })).toThrow(
      new TypeError('createPostgresStore: "replicas[0]" must be a Pool of pg; received an empty object'),
    )
    expect(() => createUntyped(pool, { replicas: pool })).toThrow(
      /^createPostgresStore: "replicas" must be an array of Pools of pg; received an object/,
    )
    for (const writeTimeoutMs of [0, -1, 1.5, '1000', Number.NaN, 2 ** 31])
      expect(() => createUntyped(pool, { writeTimeoutMs }), String(writeTimeoutMs)).toThrow(
        /^createPostgresStore: "writeTimeoutMs" must be an integer from 1 to 2147483647; received /,
      )
    for (const schema of ['', 'a b', '"', 'x'.repeat(33), 'a\u0000', 7])
      expect(() => createUntyped(pool, { schema }), String(schema)).toThrow(
        /^createPostgresStore: "schema" must be a name of letters, digits, _, \$ and -, of at most 32 bytes; received /,
      )
  })

  it('creates a store that passes on the errors of the client', async () => {
    await expect(createPostgresStore(pool).open()).rejects.toThrow('no server')
  })

  it('creates a store with snapshots for a pool, but not for a PGlite, which has one connection', () => {
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
      conditionalWrites: true,
      collections: true,
      readsAhead: true,
      ids: ['digits'],
    })
    const kept = { ...pglite, dataDir: './graph' }
    expect([pglite, kept].map(client => createPostgresStore(client).capabilities)).toEqual([
      {
        snapshots: false,
        durable: false,
        shared: false,
        atomicity: 'batch',
        conditionalWrites: true,
        collections: true,
        readsAhead: true,
        ids: ['digits'],
      },
      {
        snapshots: false,
        durable: true,
        shared: false,
        atomicity: 'batch',
        conditionalWrites: true,
        collections: true,
        readsAhead: true,
        ids: ['digits'],
      },
    ])
  })
})
