import fc from 'fast-check'
import { createPostgresStore } from 'kithgraph/postgres'
import { describeStore } from 'kithgraph/testing'
import type pg from 'pg'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

/** The number of runs of each property: small, because each run creates the tables of a new store. */
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

// The guard does not depend on the client, so only long runs test the store without it too.
if (process.env.KITHGRAPH_LONG) describeStore({ describe, it, fc, runs }, { name: 'Postgres', create })
describeStore({ describe, it, fc, runs }, { name: 'Postgres, guarded', create: () => guardStore(create()) })
