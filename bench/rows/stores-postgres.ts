import { createPostgresStore } from 'kithgraph/postgres'
import { startPostgres } from '../../test/helpers/postgres.ts'
import { createGraphReader, fillStore, toMutations } from '../contenders/graph.ts'
import {
  createLevelReader,
  createPointReader,
  createStatementReader,
} from '../contenders/postgres-readers.ts'
import { createSocialData } from '../data/social-data.ts'
import { timePassed } from '../measure/work-done.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import { comparePhotos } from './compare-photos.ts'
import type { Row } from './row.ts'

const PEOPLE = 2000

export const createPostgresRow = (shutdown: Shutdown): Row => ({
  name: 'stores-postgres',
  title: `the query for 71 nodes from Postgres with ${PEOPLE} people, in elapsed time`,
  async measure() {
    const server = await startPostgres()
    shutdown.add(() => server.stop())
    const pool = server.pool()
    const data = createSocialData(PEOPLE)
    const store = createPostgresStore(pool)
    await store.open()
    await fillStore(store, toMutations(data))
    await pool.query('vacuum analyze')
    const graph = await createGraphReader('kithgraph over Postgres', store, data.viewers)
    return comparePhotos(
      data.viewers,
      graph,
      [
        { name: 'hand-written, one statement per level', read: createLevelReader(pool), bar: { max: 1.15 } },
        { name: 'hand-written, one statement in total', read: createStatementReader(pool) },
        { name: 'hand-written, one statement per record', read: createPointReader(pool) },
      ],
      timePassed,
    )
  },
})
