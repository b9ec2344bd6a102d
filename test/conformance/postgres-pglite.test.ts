import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { createPostgresStore } from 'kithgraph/postgres'
import { describeStore } from 'kithgraph/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'

/** How often each property is tried: a fresh store is six tables in a schema of its own. */
const runs = process.env.KITHGRAPH_LONG ? 1000 : 5

let client: PGlite
let schemas = 0

beforeAll(async () => {
  client = await PGlite.create()
}, 60_000)
afterAll(() => client?.close())

const create = () => createPostgresStore(client, { schema: `fresh_${++schemas}` })

describeStore({ describe, it, fc, runs }, { name: 'PGlite', create })
describeStore({ describe, it, fc, runs }, { name: 'PGlite, guarded', create: () => guardStore(create()) })
