import Database from 'better-sqlite3'
import { Redis } from 'ioredis'
import { createGraph, defineSchema, edge, field, isGraphError, node, viewerHasEdge } from 'kithgraph'
import { createPostgresStore } from 'kithgraph/postgres'
import { createRedisStore } from 'kithgraph/redis'
import { createSqliteStore } from 'kithgraph/sqlite'
import type { Store } from '../../src/store/contract.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import { HOST, hasRedisServer, startRedis } from '../../test/helpers/redis.ts'
import { fillStore } from '../contenders/graph.ts'
import { ALBUM, generateScarceList, SCARCE, VIEWER } from '../data/scarce-list.ts'
import type { Finding } from '../measure/finding.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Row } from './row.ts'

const PAGE = 25
const ROUNDS = 9

const schema = defineSchema(
  {
    person: node({ edges: { friends: edge('person') } }),
    album: node({ edges: { photos: edge('photo') } }),
    photo: node({
      policy: [viewerHasEdge('friends', { of: 'author' })],
      fields: { author: field.ref('person') },
    }),
  },
  { viewers: ['person'] },
)

const milliseconds = async (call: () => Promise<unknown>): Promise<Finding['figure']> => {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now()
    await call()
    times.push(performance.now() - started)
  }
  return spreadOf(times)
}

const measureStore = async (name: string, store: Store): Promise<readonly Finding[]> => {
  await store.open()
  await fillStore(store, generateScarceList())
  // One graph has a large scan limit. A call for three whole lists exceeds the other graph's default limit.
  const session = { viewer: VIEWER, app: 'bench', scopes: [] }
  const { getNode: getAll, session: sessionOf } = createGraph(store, { schema, limits: { scan: 1_000_000 } })
  const { getNode, session: limitedOf } = createGraph(store, { schema })
  const all = sessionOf(session)
  const limited = limitedOf(session)
  const page = async (): Promise<void> => {
    const fields = `photos.limit(${PAGE}){id}`
    const { photos } = await getAll(all, { id: ALBUM, type: 'album', fields })
    if (Object(photos).data.length !== PAGE) throw new Error(`expected ${PAGE} entries`)
  }
  const count = async (): Promise<void> => {
    const fields = 'photos.limit(1).summary(true){id}'
    const { photos } = await getAll(all, { id: ALBUM, type: 'album', fields })
    if (Object(photos).summary.total_count !== SCARCE.size / SCARCE.authors) throw new Error('miscounted')
  }
  const failure = async (): Promise<void> => {
    const fields = ['a', 'b', 'c'].map(alias => `photos.limit(100).as(${alias}){id}`).join()
    const error: unknown = await getNode(limited, { id: ALBUM, type: 'album', fields }).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (!isGraphError(error) || error.reason !== 'query_too_expensive')
      throw error ?? new Error('did not fail')
  }
  return [
    { label: `${name}, a page`, figure: await milliseconds(page), unit: 'ms' },
    { label: `${name}, the count`, figure: await milliseconds(count), unit: 'ms' },
    { label: `${name}, a call that fails`, figure: await milliseconds(failure), unit: 'ms' },
  ]
}

const inSqlite = async (shutdown: Shutdown) => {
  const database = new Database('')
  shutdown.add(() => database.close())
  return measureStore('SQLite', createSqliteStore(database))
}

const inPostgres = async (shutdown: Shutdown) => {
  const server = await startPostgres()
  shutdown.add(() => server.stop())
  return measureStore('Postgres', createPostgresStore(server.pool()))
}

const inRedis = async (shutdown: Shutdown) => {
  if (!hasRedisServer('the scarce list in Redis')) return []
  const server = await startRedis()
  shutdown.add(() => server.stop())
  const redis = new Redis({ host: HOST, port: server.port })
  shutdown.add(() => redis.disconnect())
  return measureStore('Redis', createRedisStore(redis))
}

export const createScarcePageRow = (shutdown: Shutdown): Row => ({
  name: 'scarce-page',
  title: `a list of ${SCARCE.size} entries in which one in ${SCARCE.authors} is visible: a page of ${PAGE}, the count, and a call that exceeds the scan limit`,
  measure: async () => [
    ...(await inSqlite(shutdown)),
    ...(await inPostgres(shutdown)),
    ...(await inRedis(shutdown)),
  ],
})
