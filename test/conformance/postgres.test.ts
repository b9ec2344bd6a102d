import fc from 'fast-check'
import { createPostgresStore } from 'kithgraph/postgres'
import { describeStore } from 'kithgraph/testing'
import type pg from 'pg'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

/** How often each property is tried: a fresh store is six tables in a schema of its own. */
const runs = process.env.KITHGRAPH_LONG ? 60 : 10

let server: PostgresServer
let pool: pg.Pool
let schemas = 0

beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool()
})
afterAll(() => server?.stop())

const create = () => createPostgresStore(pool, { schema: `fresh_${++schemas}` })

// Bare and guarded where there is time: the guard is the same over every client.
if (process.env.KITHGRAPH_LONG) describeStore({ describe, it, fc, runs }, { name: 'Postgres', create })
describeStore({ describe, it, fc, runs }, { name: 'Postgres, guarded', create: () => guardStore(create()) })
