import Database from 'better-sqlite3'
import { createGraph, type Rule, type Store, socialSchema, viewerHasEdge } from 'kithgraph'
import { createPostgresStore } from 'kithgraph/postgres'
import { createRedisStore } from 'kithgraph/redis'
import { createSqliteStore } from 'kithgraph/sqlite'
import { type CountedRead, countReads } from 'kithgraph/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../helpers/redis.ts'
import { recordPipelines } from '../helpers/redis-clients.ts'
import { watchDatabase, watchPool } from '../helpers/watched-clients.ts'

const VIEWER = '1'
const PHOTOS = 10
const COMMENTS = 3
const FIELDS = 'photos.limit(10){comments.limit(3){from}}'

const numbers = (count: number, first: number): string[] =>
  Array.from({ length: count }, (_, index) => `${first + index}`)

const putNode = (id: string, type: string, fields: { name?: string; from?: string }): StoreMutation => ({
  op: 'putNode',
  node: { id, type, fields },
})

const putEdge = (source: string, name: string, target: string): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time: 0 },
})

/**
 * Mutations that write 71 nodes: a person with ten photos, three comments on each photo, and the authors of
 * the comments. All authors are friends of the person.
 */
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
const friendsPolicy = [viewerHasEdge('friends', { of: 'from' }), allow]
const policySchema = socialSchema.extend({
  user: { policy: [viewerHasEdge('friends'), allow] },
  photo: { policy: friendsPolicy },
  comment: { policy: friendsPolicy },
})

const SCHEMAS = { 'without policies': socialSchema, 'under policies': policySchema }

/** Reads the 71 nodes, and returns the store reads and the statements that the client received. */
const readThroughStore = async (
  store: Store,
  statements: unknown[],
  schema: (typeof SCHEMAS)[keyof typeof SCHEMAS],
) => {
  await store.open()
  await store.write(mutations, { signal: undefined })
  const counted = countReads(store)
  const graph = createGraph(counted, { schema, secret: 'the secret of the graph' })
  const token = await graph.tokens.issue({ viewer: VIEWER, app: 'demo', scopes: ['user_photos'] })
  counted.clear()
  statements.length = 0
  const result = JSON.stringify(await graph.getMe(token, { fields: FIELDS }))
  expect(result.match(/"id":/g)).toHaveLength(1 + PHOTOS + 2 * PHOTOS * COMMENTS)
  return { reads: counted.reads, sent: [...statements] }
}

const PARTS = ['nodes', 'ranges', 'checks', 'tokens'] as const

/** Returns the number of non-empty parts of all reads. */
const countParts = (reads: readonly CountedRead[]): number =>
  reads.reduce((sum, { requested }) => sum + PARTS.filter(part => requested[part] > 0).length, 0)

/**
 * Returns the number of round trips. After the ranges of a read, a second round trip reads the records of
 * their targets.
 */
const countRounds = (reads: readonly CountedRead[]): number =>
  reads.reduce((sum, { requested }) => sum + (requested.ranges > 0 ? 2 : 1), 0)

describe.each(['without policies', 'under policies'] as const)(
  'a query for 71 nodes in four levels with a token, %s',
  kind => {
    const schema = SCHEMAS[kind]

    it('takes one SQLite statement per kind of data in a read', async () => {
      const database = new Database(':memory:')
      const { client, statements } = watchDatabase(database)
      const { reads, sent } = await readThroughStore(createSqliteStore(client), statements, schema)
      database.close()
      expect(sent).toHaveLength(countParts(reads))
      if (kind === 'without policies') expect(sent).toHaveLength(5)
    })

    describe('on a Postgres server', () => {
      let server: PostgresServer
      beforeAll(async () => {
        server = await startPostgres()
      })
      afterAll(() => server?.stop())

      it('takes one statement per kind of data in a read', async () => {
        const { client, statements } = watchPool(server.pool())
        const { reads, sent } = await readThroughStore(createPostgresStore(client), statements, schema)
        expect(sent).toHaveLength(countParts(reads))
        if (kind === 'without policies') expect(sent).toHaveLength(2)
      })
    })

    describe.runIf(hasRedisServer('the reads of Redis, counted'))('on a Redis server', () => {
      let server: RedisServer
      beforeAll(async () => {
        server = await startRedis()
      })
      afterAll(() => server?.stop())

      it('takes one pipeline per read, and a second one for the targets of ranges', async () => {
        const { client, pipelines, scriptLoads } = recordPipelines(server.admin)
        const { reads, sent } = await readThroughStore(createRedisStore(client), pipelines, schema)
        expect(scriptLoads.every(name => name === 'script')).toBe(true)
        expect(sent).toHaveLength(countRounds(reads))
        if (kind === 'without policies') expect(sent).toHaveLength(7)
      })
    })
  },
)
