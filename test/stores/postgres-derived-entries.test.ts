import { createPostgresStore } from 'kithgraph/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT_ID } from '../../src/store/derived-entries.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { createRange, putEdge, putNode, putNodes } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const SCHEMA = 'derived'
const BY_RANK = { field: 'rank', factor: 1 } as const

const deriveNode = (target: string): StoreMutation => ({
  op: 'deriveEntry',
  entry: { source: ROOT_ID, name: 'events', target, by: BY_RANK },
})
const deriveEdge = (source: string, target: string): StoreMutation => ({
  op: 'deriveEntry',
  entry: { source, name: 'likes#top', target, by: BY_RANK },
})

describe('an entry that Postgres derives while its record is missing', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  it.each([
    ['a node', [deriveNode('9')], [putNode('9', { rank: 5 }), deriveNode('9')], ROOT_ID, 'events'],
    [
      'an edge',
      [deriveEdge('9', '3')],
      [putNode('9'), putEdge('9', 'likes', '3', 7, { rank: 5 }), deriveEdge('9', '3')],
      '9',
      'likes#top',
    ],
  ])(
    'stays if another writer puts the record of %s at the same time',
    async (_, derive, put, source, name) => {
      const pool = server.pool()
      const store = createPostgresStore(pool, { schema: SCHEMA })
      await store.open()
      await store.write(
        [...putNodes('1', '2', '3'), putEdge('1', 'likes', '2'), { op: 'deleteNode', id: '9' }],
        UNTIMED_OPTIONS,
      )
      const blocker = await pool.connect()
      await blocker.query('begin')
      await blocker.query(`select from ${SCHEMA}.edges where source = 1 for update`)
      // The batch waits for the edge after it has looked for node 9.
      const derived = store.write([...derive, deriveEdge('1', '2')], UNTIMED_OPTIONS)
      const isWaiting = async () => {
        const { rows } = await pool.query('select count(*) from pg_locks where not granted')
        return Number(rows[0].count) > 0
      }
      await expect.poll(isWaiting).toBe(true)
      await store.write(put, UNTIMED_OPTIONS)
      await blocker.query('commit')
      blocker.release()
      await derived
      const ranges = [createRange(source, name, { limit: 5, count: true })]
      const result = await store.read({ ...EMPTY_REQUEST, ranges }, UNTIMED_OPTIONS)
      expect(result.ranges[0]).toMatchObject({ total: 1, entries: [{ time: 5 }] })
    },
  )
})
