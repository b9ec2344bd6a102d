import type { PostgresPool, PostgresQuery } from 'kithgraph/postgres'
import type pg from 'pg'
import { observePool } from '../../test/helpers/watched-clients.ts'

/** Returns the statement of each of some reads, which take one statement each, to send them without the work of a reader. */
export const findSentQueries = async <TRead>(
  pool: pg.Pool,
  reads: readonly TRead[],
  createReader: (pool: PostgresPool) => (read: TRead) => Promise<unknown>,
): Promise<readonly PostgresQuery[]> => {
  const sent: PostgresQuery[] = []
  const read = createReader(observePool(pool, query => sent.push(query)))
  for (const one of reads) await read(one)
  if (sent.length !== reads.length)
    throw new Error(`expected a statement for each of ${reads.length} reads; received ${sent.length}`)
  return sent
}
