import Database from 'better-sqlite3'
import { createGraph, type Rule, type Store, socialSchema, viewerHasEdge } from 'kithgraph'
import { createPostgresStore } from 'kithgraph/postgres'
import { createRedisStore } from 'kithgraph/redis'
import { createSqliteStore } from 'kithgraph/sqlite'
import { type CountedRead, countReads } from 'kithgraph/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mutation } from '../../src/store/contract.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../helpers/redis.ts'
import { countPipelines } from '../helpers/redis-clients.ts'
import { watchDatabase, watchPool } from './store-waves-clients.ts'

const VIEWER = '1'
const PHOTOS = 10
const COMMENTS = 3
const FIELDS = 'photos.limit(10){comments.limit(3){from}}'

const numbers = (count: number, first: number): string[] =>
  Array.from({ length: count }, (_, index) => `${first + index}`)

const putNode = (id: string, type: string, fields: { name?: string; from?: string }): Mutation => ({
  op: 'putNode',
  node: { id, type, fields },
})

const putEdge = (source: string, name: string, target: string): Mutation => ({
  op: 'putEdge',
  edge: { source, name, target, time: 0 },
})

/** A person with ten photos, three comments on each, and who wrote them, all friends: 71 nodes. */
const mutations = [
  putNode(VIEWER, 'user', { name: 'Ada' }),
  ...numbers(PHOTOS, 100).flatMap(photo => [
    putNode(photo, 'photo', { from: VIEWER }),
    putEdge(VIEWER, 'photos', photo),
    ...numbers(COMMENTS, 10 * Number(photo)).flatMap(comment => {
      const author = `9${comment}`
      return [
        putNode(author, 'user', { name: `Author of ${comment}` }),
        putEdge(VIEWER, 'friends', author),
        putNode(comment, 'comment', { from: author }),
        putEdge(photo, 'comments', comment),
      ]
    }),
  ]),
]

const allow: Rule = { name: 'allow', decide: () => 'allow' }
const byFriends = [viewerHasEdge('friends', { of: 'from' }), allow]
const policed = socialSchema.extend({
  user: { policy: [viewerHasEdge('friends'), allow] },
  photo: { policy: byFriends },
  comment: { policy: byFriends },
})

const SCHEMAS = { open: socialSchema, policed }

/** Reads the 71 nodes, and answers the store's reads and what the client was handed for them. */
const readFrom = async (store: Store, handed: unknown[], schema: (typeof SCHEMAS)['open' | 'policed']) => {
  await store.open()
  await store.write(mutations, { signal: undefined })
  const counted = countReads(store)
  const graph = createGraph(counted, { schema, secret: 'the secret of the graph' })
  const token = await graph.tokens.issue({ viewer: VIEWER, app: 'demo', scopes: ['user_photos'] })
  counted.clear()
  handed.length = 0
  const answer = JSON.stringify(await graph.getMe(token, { fields: FIELDS }))
  expect(answer.match(/"id":/g)).toHaveLength(1 + PHOTOS + 2 * PHOTOS * COMMENTS)
  return { reads: counted.reads, handed: [...handed] }
}

const PARTS = ['nodes', 'ranges', 'tests', 'tokens'] as const

/** The parts of waves that ask something. */
const partsOf = (reads: readonly CountedRead[]): number =>
  reads.reduce((sum, { asked }) => sum + PARTS.filter(part => asked[part] > 0).length, 0)

/** A second round brings the records that ranges lead to. */
const roundsOf = (reads: readonly CountedRead[]): number =>
  reads.reduce((sum, { asked }) => sum + (asked.ranges > 0 ? 2 : 1), 0)

describe.each(['open', 'policed'] as const)(
  '71 nodes in four levels and a token, %s, at the client',
  kind => {
    const schema = SCHEMAS[kind]

    it('are one statement a part of a wave from SQLite', async () => {
      const database = new Database(':memory:')
      const { client, statements } = watchDatabase(database)
      const { reads, handed } = await readFrom(createSqliteStore(client), statements, schema)
      database.close()
      expect(handed).toHaveLength(partsOf(reads))
      if (kind === 'open') expect(handed).toHaveLength(5)
    })

    describe('of a Postgres server', () => {
      let server: PostgresServer
      beforeAll(async () => {
        server = await startPostgres()
      })
      afterAll(() => server?.stop())

      it('are one statement a part of a wave', async () => {
        const { client, statements } = watchPool(server.pool())
        const { reads, handed } = await readFrom(createPostgresStore(client), statements, schema)
        expect(handed).toHaveLength(partsOf(reads))
        if (kind === 'open') expect(handed).toHaveLength(5)
      })
    })

    describe.runIf(hasRedisServer('the waves of Redis, counted'))('of a Redis server', () => {
      let server: RedisServer
      beforeAll(async () => {
        server = await startRedis()
      })
      afterAll(() => server?.stop())

      it('are one pipeline a wave, two where ranges bring records', async () => {
        const { client, pipelines, alone } = countPipelines(server.admin)
        const { reads, handed } = await readFrom(createRedisStore(client), pipelines, schema)
        expect(alone.every(name => name === 'script')).toBe(true)
        expect(handed).toHaveLength(roundsOf(reads))
        if (kind === 'open') expect(handed).toHaveLength(7)
      })
    })
  },
)
