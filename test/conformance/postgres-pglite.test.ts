import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { createPostgresStore } from 'kithgraph/postgres'
import { describeStore } from 'kithgraph/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardStore } from '../../src/store/guard.ts'
import { putEdge, putNodes } from '../../src/testing/records.ts'
import { dumpedLines } from '../helpers/dumped-lines.ts'

/** How often each property is tried: a fresh store is six tables in a schema of its own. */
const runs = process.env.KITHGRAPH_LONG ? 60 : 3

let client: PGlite
let schemas = 0

beforeAll(async () => {
  client = await PGlite.create()
})
afterAll(() => client?.close())

const create = () => createPostgresStore(client, { schema: `fresh_${++schemas}` })

describeStore({ describe, it, fc, runs }, { name: 'PGlite', create })
// The guard is the same over every client; a second run over this one is for when there is time.
if (process.env.KITHGRAPH_LONG)
  describeStore({ describe, it, fc, runs }, { name: 'PGlite, guarded', create: () => guardStore(create()) })

describe('the dump over PGlite', () => {
  it('is all nodes and all edges, and leaves the one connection to others while it is read', async () => {
    const store = create()
    await store.open()
    await store.write([...putNodes('1', '2'), putEdge('1', 'likes', '2')], { signal: undefined })
    for await (const _ of await store.dump()) await store.write(putNodes('1'), { signal: undefined })
    expect(await dumpedLines(store.dump())).toEqual([
      '{"edge":{"source":"1","name":"likes","target":"2","time":0}}\n',
      '{"node":{"id":"1","type":"thing","fields":{}}}\n',
      '{"node":{"id":"2","type":"thing","fields":{}}}\n',
    ])
  })
})
