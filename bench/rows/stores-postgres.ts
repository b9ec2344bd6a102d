import { createPostgresStore } from 'kithgraph/postgres'
import type pg from 'pg'
import type { Store } from '../../src/store/contract.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import { createGraphReader, fillStore, type GraphReader, toMutations } from '../contenders/graph.ts'
import {
  createLevelReader,
  createPointReader,
  createStatementReader,
} from '../contenders/postgres-readers.ts'
import { readInTurn } from '../contenders/social-readers.ts'
import { createTokenKeys } from '../contenders/token-keys.ts'
import { createSocialData } from '../data/social-data.ts'
import { compare } from '../measure/compare.ts'
import { assertSameResults } from '../measure/same-results.ts'
import { timePassed } from '../measure/work-done.ts'
import { startDelayingProxy } from '../servers/delaying-proxy.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import { comparePhotos } from './compare-photos.ts'
import type { Row } from './row.ts'

const PEOPLE = 2000
const ROUND_TRIP_MS = 3

/** A pool of a filled database, a graph over it, and one that reads nothing ahead. */
type PostgresReaders = {
  readonly viewers: readonly string[]
  readonly pool: pg.Pool
  readonly ahead: GraphReader
  readonly byLevel: GraphReader
}

const openReaders = async (shutdown: Shutdown, roundTripMs: number): Promise<PostgresReaders> => {
  const server = await startPostgres()
  shutdown.add(() => server.stop())
  const data = createSocialData(PEOPLE)
  const filled = createPostgresStore(server.pool())
  await filled.open()
  await fillStore(filled, toMutations(data))
  await server.pool().query('vacuum analyze')
  const proxy = roundTripMs === 0 ? undefined : await startDelayingProxy(server.port, roundTripMs)
  if (proxy !== undefined) shutdown.add(() => proxy.stop())
  const pool = server.pool({ port: proxy?.port ?? server.port })
  const { viewers } = data
  const store = createPostgresStore(pool)
  const withoutAhead: Store = { ...store, capabilities: { ...store.capabilities, readsAhead: false } }
  return {
    viewers,
    pool,
    ahead: await createGraphReader('kithgraph over Postgres', store, viewers),
    byLevel: await createGraphReader('kithgraph, one read per level', withoutAhead, viewers),
  }
}

/** The query from a server nearby. */
export const createPostgresRow = (shutdown: Shutdown): Row => ({
  name: 'stores-postgres',
  title: `the query for 71 nodes from Postgres with ${PEOPLE} people, in elapsed time`,
  async measure() {
    const { viewers, pool, ahead } = await openReaders(shutdown, 0)
    return comparePhotos(
      viewers,
      ahead,
      [
        { name: 'hand-written, one statement per level', read: createLevelReader(pool), bar: { max: 1.15 } },
        {
          name: 'hand-written, one statement in total',
          read: createStatementReader(pool),
          bar: { max: 1.8 },
        },
        { name: 'hand-written, one statement per record', read: createPointReader(pool) },
      ],
      timePassed,
    )
  },
})

/** The query from a server at a distance, where the number of statements matters most. */
export const createDistantPostgresRow = (shutdown: Shutdown): Row => ({
  name: 'stores-postgres-distant',
  title: `the query for 71 nodes from Postgres with a round trip of ${ROUND_TRIP_MS} ms, in elapsed time`,
  async measure() {
    const { viewers, pool, ahead, byLevel } = await openReaders(shutdown, ROUND_TRIP_MS)
    await assertSameResults(
      viewers,
      ['kithgraph', ahead.getPhotos],
      [byLevel.name, byLevel.getPhotos],
      'bytes',
    )
    const keys = createTokenKeys(ahead, viewers)
    const readStatement = createStatementReader(pool)
    return compare(
      readInTurn(viewers, ahead.name, ahead.getPhotos),
      [
        { ...readInTurn(viewers, byLevel.name, byLevel.getPhotos), bar: { max: 0.5 } },
        readInTurn(viewers, 'hand-written, one statement in total', viewer =>
          readStatement(keys.get(viewer) ?? ''),
        ),
      ],
      timePassed,
    )
  },
})
