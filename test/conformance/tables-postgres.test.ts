import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { createTableStore } from 'kithgraph/tables'
import { describeReadOnlyStore } from 'kithgraph/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { fillPosts, POST_DDL, postgresPostRecords, posts } from '../helpers/post-tables.ts'

const runner = { describe, it, fc, runs: process.env.KITHGRAPH_LONG ? 500 : 20 }

describe('a store over tables with hostile names and keys', () => {
  let client: PGlite
  beforeAll(async () => {
    client = await PGlite.create()
    await client.exec(POST_DDL)
    await fillPosts(client)
  })
  afterAll(() => client.close())

  describeReadOnlyStore(runner, {
    name: 'Postgres',
    create: () => createTableStore(client, { tables: posts.tables }),
    records: postgresPostRecords,
    keepsTokens: false,
  })
})
