import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPostgresStore } from 'kithgraph/postgres'
import type { EdgeRecord } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import { temporaryFolder } from '../servers/temporary-folder.ts'
import { keepPuts, type LoadTarget } from './load-target.ts'

type Cell = string | number | undefined

const cellText = (cell: Cell): string =>
  cell === undefined
    ? '\\N'
    : `${cell}`.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n')

/** Formats a line for `COPY`. */
const toLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join('\t')}\n`

const countEdges = (edges: readonly EdgeRecord[]): Cell[][] => {
  const counts = new Map<string, number>()
  for (const { source, name } of edges) {
    const list = `${source} ${name}`
    counts.set(list, (counts.get(list) ?? 0) + 1)
  }
  return [...counts].map(([list, count]) => [...list.split(' '), count])
}

/** Loads with `COPY` into the same tables of another schema, from files that the server reads. */
export const createPostgresTarget = async (shutdown: Shutdown): Promise<LoadTarget> => {
  const folder = temporaryFolder(shutdown)
  chmodSync(folder, 0o755)
  const server = await startPostgres()
  shutdown.add(() => server.stop())
  const pool = server.pool()
  const store = createPostgresStore(pool)
  await store.open()
  await createPostgresStore(pool, { schema: 'bulk' }).open()
  const copy = async (table: string, columns: string, rows: readonly Cell[][]) => {
    const path = join(folder, 'rows')
    writeFileSync(path, rows.map(toLine).join(''))
    await pool.query(`copy bulk.${table} (${columns}) from '${path}'`)
  }
  const load = async (mutations: readonly StoreMutation[]) => {
    const { nodes, edges } = keepPuts(mutations)
    const nodeRows = nodes.map(({ id, type, fields }) => [id, type, JSON.stringify(fields)])
    await copy('nodes', 'id, type, fields', nodeRows)
    const edgeRows = edges.map(({ source, target, time, name, data }) => [
      source,
      target,
      time,
      name,
      data && JSON.stringify(data),
    ])
    await copy('edges', 'source, target, time, name, data', edgeRows)
    const reverseRows = edges.map(({ source, target, name }) => [target, source, name])
    await copy('edge_sources', 'target, source, name', reverseRows)
    const counts = countEdges(edges)
    await pool.query(
      `insert into bulk.edge_counts as part (source, name, shard, count)
       select source, name, 0, count from unnest($1::bigint[], $2::text[], $3::bigint[]) as given (source, name, count)
       on conflict (source, name, shard) do update set count = part.count + excluded.count`,
      [0, 1, 2].map(column => counts.map(cells => cells[column])),
    )
  }
  return {
    name: 'Postgres',
    store,
    bulkLoaders: [{ name: 'COPY', load }],
    bytes: async () => {
      const { rows } = await pool.query(
        `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
         where relnamespace = 'kithgraph'::regnamespace and relkind = 'r'`,
      )
      return { 'on disk': rows[0]?.bytes ?? 0 }
    },
  }
}
