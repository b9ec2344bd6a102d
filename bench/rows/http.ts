import { type LoadResult, load, readBody } from '../http/load.ts'
import { type ServerProcess, startServer } from '../http/server-process.ts'
import { SERVERS, type ServerName, WORKLOADS, type Workload } from '../http/workloads.ts'
import type { Bar, Finding } from '../measure/finding.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Row } from './row.ts'

const ROUNDS = 5
/**
 * The number of rounds before the measurement. V8 compiles the code of a server during its first thirty
 * thousand requests.
 */
const WARM_UPS = 3
/** Seconds. */
const SLICE = 2
const MICROSECONDS = 1000

const BARS: { readonly [workload in Workload]: { readonly [name in ServerName]?: Bar } } = {
  me: { fastify: { min: 0.9 } },
  edge: { fastify: { min: 0.9 } },
  photos: { fastify: { min: 0.9 }, mercurius: { min: 2 } },
}

type Rounds = { readonly server: ServerProcess; readonly rounds: LoadResult[] }

const createFindings = (workload: Workload, ours: Rounds, { server, rounds }: Rounds): Finding[] => {
  const { name } = server
  const of = (measure: keyof LoadResult, scale = 1) => spreadOf(rounds.map(round => round[measure] * scale))
  const ratios = rounds.map(({ work }, round) => work / (ours.rounds[round]?.work ?? Number.NaN))
  const isOurs = name === 'kithgraph'
  return [
    {
      label: `${workload}, ${name}`,
      figure: of('work', MICROSECONDS),
      unit: 'µs',
      ...(!isOurs && { ratio: { spread: spreadOf(ratios), of: 'as fast' }, bar: BARS[workload][name] }),
    },
    { label: `${workload}, ${name}`, figure: of('rate'), unit: '/s' },
    { label: `${workload}, ${name}, p99`, figure: of('p99'), unit: 'ms' },
  ]
}

const measureWorkload = async (workload: Workload, servers: readonly ServerProcess[]): Promise<Finding[]> => {
  const all = servers.map((server): Rounds => ({ server, rounds: [] }))
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    for (const { server, rounds } of all) {
      const loaded = await load(server, workload, { duration: SLICE })
      if (round >= 0) rounds.push(loaded)
    }
  }
  const [ours, ...others] = all
  return ours === undefined ? [] : [ours, ...others].flatMap(rounds => createFindings(workload, ours, rounds))
}

const assertSameBytes = async (ours: ServerProcess, theirs: ServerProcess): Promise<void> => {
  for (const workload of ['edge', 'me', 'photos'] as const) {
    const [expected, received] = [await readBody(ours, workload), await readBody(theirs, workload)]
    if (received !== expected)
      throw new Error(`${theirs.name} returns other bytes:\n${received}\n${expected}`)
  }
}

/**
 * Sends requests over a hundred local connections, to one server after another. Each server has its own
 * process.
 */
export const createHttpRow = (shutdown: Shutdown): Row => ({
  name: 'http',
  title:
    'HTTP requests: processor time of the server per request, requests per second, and the 99th percentile of the latency',
  async measure() {
    const servers: ServerProcess[] = []
    for (const name of SERVERS) servers.push(await startServer(name, shutdown))
    const [ours, ...others] = servers
    for (const server of others)
      if (ours !== undefined && server.name.startsWith('fastify')) await assertSameBytes(ours, server)
    const findings: Finding[] = []
    for (const workload of Object.keys(WORKLOADS) as Workload[])
      findings.push(...(await measureWorkload(workload, servers)))
    return findings
  },
})
