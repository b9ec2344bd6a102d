import type { DatabaseDescription } from 'kithgraph/tables'
import type pg from 'pg'
import { PoolDatabase } from '../../../src/stores/postgres/pool-database.ts'
import { describePostgres } from '../../../src/tables/introspect/describe-postgres.ts'

/** Describes the tables of a schema of Postgres, as `introspect` does. */
export const describeSchema = async (pool: pg.Pool, schema: string): Promise<DatabaseDescription> => {
  const snapshot = await new PoolDatabase(pool).openSnapshot()
  try {
    return await describePostgres(snapshot, { schemas: [schema] })
  } finally {
    await snapshot.close()
  }
}
