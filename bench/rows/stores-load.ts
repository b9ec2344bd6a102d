import { createGraph } from 'kithgraph'
import { archiveSchema } from '../../examples/social-archive/schema.ts'
import { hasRedisServer } from '../../test/helpers/redis.ts'
import { readArchiveChunks } from '../bulk/archive-chunks.ts'
import { keepPuts, type LoadTarget } from '../bulk/load-target.ts'
import { createPostgresTarget } from '../bulk/postgres-target.ts'
import { createRedisTarget } from '../bulk/redis-target.ts'
import { createSqliteTarget } from '../bulk/sqlite-target.ts'
import type { Finding } from '../measure/finding.ts'
import { spreadOf } from '../measure/statistics.ts'
import { timePassed } from '../measure/work-done.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Row } from './row.ts'

const measureSeconds = async (work: () => Promise<unknown>): Promise<number> => {
  const started = timePassed()
  await work()
  return (timePassed() - started) / 1000
}

/** Loads the archive chunk by chunk. First the graph loads each chunk, and then each bulk loader does. */
const measureLoad = async (target: LoadTarget, archive: string): Promise<readonly Finding[]> => {
  const graph = createGraph(target.store, { schema: archiveSchema })
  const ours: number[] = []
  const theirs = target.bulkLoaders.map(means => ({
    ...means,
    rates: [] as number[],
    ratios: [] as number[],
  }))
  const stored = { node: 0, edge: 0 }
  const empty = await target.bytes()
  let beforeEdges = empty
  for await (const { kind, records, mutations } of readArchiveChunks(archive)) {
    if (kind === 'edge' && stored.edge === 0) beforeEdges = await target.bytes()
    const mine = await measureSeconds(() => graph.load(records))
    ours.push(records.length / mine)
    for (const { load, rates, ratios } of theirs) {
      const bulk = await measureSeconds(() => load(mutations))
      rates.push(records.length / bulk)
      ratios.push(mine / bulk)
    }
    const { nodes, edges } = keepPuts(mutations)
    stored.node += nodes.length
    stored.edge += edges.length
  }
  const { name } = target
  const loaded = await target.bytes()
  const sizeOf = (what: string, bytes: number, count: number): Finding => ({
    label: `${name}, ${what} (${count} in total)`,
    figure: spreadOf([bytes / count]),
    unit: 'bytes',
  })
  return [
    { label: `${name}, graph.load`, figure: spreadOf(ours), unit: '/s' },
    ...theirs.map(({ name: means, rates, ratios }) => ({
      label: `${name}, ${means}`,
      figure: spreadOf(rates),
      unit: '/s',
      ratio: { spread: spreadOf(ratios), of: 'as long' as const },
    })),
    ...Object.entries(loaded).flatMap(([where, bytes]) => [
      sizeOf(`${where}, per node`, (beforeEdges[where] ?? 0) - (empty[where] ?? 0), stored.node),
      sizeOf(`${where}, per edge`, bytes - (beforeEdges[where] ?? 0), stored.edge),
    ]),
  ]
}

export const createLoadRow = (shutdown: Shutdown, archive: string | undefined): Row => ({
  name: 'stores-load',
  title:
    'records loaded per second from an archive (--data), by graph.load and by the bulk loader of each engine',
  options: ['--data', 'ARCHIVE.tar.gz'],
  async measure() {
    if (archive === undefined) {
      process.stderr.write('*** SKIPPED: it needs an archive, given with --data ***\n')
      return []
    }
    const findings: Finding[] = []
    const creators = [createSqliteTarget, createPostgresTarget]
    if (hasRedisServer('the load into Redis')) creators.push(createRedisTarget)
    for (const create of creators) {
      findings.push(...(await measureLoad(await create(shutdown), archive)))
      await shutdown.run()
    }
    return findings
  },
})
