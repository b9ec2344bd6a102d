import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { createPostgresStore } from 'kithgraph/postgres'
import { describeStore } from 'kithgraph/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'

/** How often each property is tried: a fresh store is six tables in a schema of its own. */
const runs = process.env.KITHGRAPH_LONG ? 60 : 5

let client: PGlite
let schemas = 0

beforeAll(async () => {
  client = await PGlite.create()
}, 60_000)
afterAll(() => client?.close())

const create = () => createPostgresStore(client, { schema: `fresh_${++schemas}` })

describeStore({ describe, it, fc, runs }, { name: 'PGlite', create })
// The guard is the same over every client; a second run over this one is for when there is time.
if (process.env.KITHGRAPH_LONG)
  describeStore({ describe, it, fc, runs }, { name: 'PGlite, guarded', create: () => guardStore(create()) })
