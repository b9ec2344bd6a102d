import Database from 'better-sqlite3'
import { Redis } from 'ioredis'
import { createGraph } from 'kithgraph'
import { createPostgresStore } from 'kithgraph/postgres'
import { createRedisStore } from 'kithgraph/redis'
import { createSqliteStore } from 'kithgraph/sqlite'
import type { Store } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import { HOST, hasRedisServer, startRedis } from '../../test/helpers/redis.ts'
import {
  fillLongListInPostgres,
  fillLongListInRedis,
  fillLongListInSqlite,
  LIST,
} from '../bulk/long-lists.ts'
import { fillStore } from '../contenders/graph.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import { type Clock, timePassed, workDone } from '../measure/work-done.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Row } from './row.ts'

const PAGE = 25

const page = (id: string): StoreMutation => ({
  op: 'putNode',
  node: { id, type: 'page', fields: { name: id } },
})

/** The short list contains the first people of the long one. */
const shortList = (): StoreMutation[] =>
  Array.from({ length: PAGE }, (_, index) => ({
    op: 'putEdge',
    edge: { source: LIST.short, name: 'likes', target: `${LIST.firstPerson + index}`, time: index },
  }))

const measureLists = async (
  name: string,
  store: Store,
  fillLong: () => unknown,
  clock: Clock,
): Promise<readonly Finding[]> => {
  await store.open()
  await fillStore(store, [page(LIST.long), page(LIST.short)])
  await fillLong()
  await fillStore(store, shortList())
  const { getEdge, tokens } = createGraph(store)
  const token = await tokens.issue({ viewer: LIST.long, app: 'bench' })
  const reader = (id: string, total: number) => async () => {
    const { data, summary } = await getEdge(token, { id, edge: 'likes', limit: PAGE, summary: true })
    if (data.length !== PAGE || summary?.total_count !== total)
      throw new Error(
        `expected ${PAGE} entries of ${total}; received ${data.length} of ${summary?.total_count}`,
      )
  }
  const long = { name: `${name}, list of ${LIST.size}`, call: reader(LIST.long, LIST.size) }
  const short = { name: `${name}, list of ${PAGE}`, call: reader(LIST.short, PAGE) }
  return compare(long, [{ ...short, bar: { max: 1.5 } }], clock)
}

const inSqlite = async (shutdown: Shutdown) => {
  const database = new Database('')
  shutdown.add(() => database.close())
  return measureLists('SQLite', createSqliteStore(database), () => fillLongListInSqlite(database), workDone)
}

const inPostgres = async (shutdown: Shutdown) => {
  const server = await startPostgres()
  shutdown.add(() => server.stop())
  const pool = server.pool()
  return measureLists('Postgres', createPostgresStore(pool), () => fillLongListInPostgres(pool), timePassed)
}

const inRedis = async (shutdown: Shutdown) => {
  if (!hasRedisServer('the lists in Redis')) return []
  const server = await startRedis()
  shutdown.add(() => server.stop())
  const redis = new Redis({ host: HOST, port: server.port })
  shutdown.add(() => redis.disconnect())
  return measureLists('Redis', createRedisStore(redis), () => fillLongListInRedis(redis), timePassed)
}

export const createListsRow = (shutdown: Shutdown): Row => ({
  name: 'stores-lists',
  title: `a page of ${PAGE} entries with the count, from a list of ${LIST.size} edges and from a list of ${PAGE}`,
  measure: async () => [
    ...(await inSqlite(shutdown)),
    ...(await inPostgres(shutdown)),
    ...(await inRedis(shutdown)),
  ],
})
