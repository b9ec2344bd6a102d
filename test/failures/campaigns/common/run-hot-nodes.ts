import { createPostgresStore } from 'kithgraph/postgres'
import type pg from 'pg'
import type { StoreMutation } from '../../../../src/store/mutations.ts'
import { putEdge, putNode, putNodes, withMirror } from '../../../../src/testing/records.ts'
import { startPostgres } from '../../../helpers/postgres.ts'
import { createRandom, type Random } from './random.ts'

export type HotNodesOptions = {
  readonly seconds: number
  readonly seed: number
  readonly writers: number
  readonly nodes: number
}

/** The times of the batches, in milliseconds, and how many transactions the server has rolled back. */
export type HotNodesResult = {
  readonly batches: number
  /** The batches that failed, although every node exists before and after each batch. */
  readonly failures: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
  readonly deadlocks: number
  readonly rollbacks: number
  /** The differences between edges, their mirrors, their reverse entries and the counts of their lists. */
  readonly differences: number
}

/**
 * Creates a batch of ten mutations: it deletes and puts two nodes, puts and patches others, and connects some
 * of them, with and without a mirror.
 */
const createBatch = (random: Random, nodes: number): readonly StoreMutation[] => {
  const pick = (): string => `${1 + random.integer(nodes)}`
  const [first, second, third, fourth] = [pick(), pick(), pick(), pick()]
  return [
    { op: 'deleteNode', id: first },
    putNode(first, { value: random.integer(1000) }),
    withMirror(putEdge(first, 'friends', second, random.integer(1000)), 'friends'),
    putEdge(third, 'likes', first, random.integer(1000)),
    { op: 'deleteNode', id: fourth },
    putNode(fourth, { value: random.integer(1000) }),
    putEdge(pick(), 'likes', fourth, random.integer(1000)),
    { op: 'patchNode', id: third, fields: { value: random.integer(1000) } },
    { op: 'deleteEdge', edge: { source: pick(), name: 'likes', target: pick() } },
    putNode(second, { value: random.integer(1000) }),
  ]
}

const readCounters = async (pool: pg.Pool) => {
  const { rows } = await pool.query(
    `select deadlocks::int, xact_rollback::int as rollbacks from pg_stat_database where datname = current_database()`,
  )
  return { deadlocks: Number(rows[0]?.deadlocks), rollbacks: Number(rows[0]?.rollbacks) }
}

/** The sides of all edges, from both tables, and the counts of their lists, from both sources. */
const COUNT_DIFFERENCES_SQL = `
with edge as (select source, name, target from kithgraph.edges),
  entry as (select source, name, target from kithgraph.edge_sources),
  listed as (select source, name, count(*) as total from edge group by source, name),
  counted as (
    select source, name, sum(count) as total from kithgraph.edge_counts
    group by source, name having sum(count) <> 0
  ),
  mirror as (select target as source, name, source as target from edge where name = 'friends')
select
  (select count(*) from (select * from edge except select * from entry) as difference)
  + (select count(*) from (select * from entry except select * from edge) as difference)
  + (select count(*) from (select * from listed except select * from counted) as difference)
  + (select count(*) from (select * from counted except select * from listed) as difference)
  + (select count(*) from (select * from mirror except select * from edge) as difference) as differences`

const countDifferences = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query(COUNT_DIFFERENCES_SQL)
  return Number(rows[0]?.differences)
}

/** Sessions report their counters to the server about once a second, and when they end. */
const REPORT_MS = 1500

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** Runs the writers on a new server. */
export const runHotNodes = async ({
  seconds,
  seed,
  writers,
  nodes,
}: HotNodesOptions): Promise<HotNodesResult> => {
  const server = await startPostgres()
  try {
    const pool = server.pool({ max: writers })
    const store = createPostgresStore(pool)
    await store.open()
    await store.write(putNodes(...Array.from({ length: nodes }, (_, index) => `${index + 1}`)), {
      signal: undefined,
    })
    const end = performance.now() + seconds * 1000
    const times: number[] = []
    let failures = 0
    const runWriter = async (writer: number): Promise<void> => {
      const random = createRandom(seed, writer)
      while (performance.now() < end) {
        const batch = createBatch(random, nodes)
        const start = performance.now()
        try {
          await store.write(batch, { signal: undefined })
        } catch {
          failures++
        }
        times.push(performance.now() - start)
      }
    }
    await Promise.all(Array.from({ length: writers }, (_, writer) => runWriter(writer)))
    await new Promise(resolve => setTimeout(resolve, REPORT_MS))
    times.sort((first, second) => first - second)
    return {
      batches: times.length,
      failures,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      longest: times.at(-1) ?? Number.NaN,
      ...(await readCounters(server.pool())),
      differences: await countDifferences(server.pool()),
    }
  } finally {
    await server.stop()
  }
}
