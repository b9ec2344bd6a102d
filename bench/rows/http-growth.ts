import { load } from '../http/load.ts'
import { startServer } from '../http/server-process.ts'
import type { Finding } from '../measure/finding.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Row } from './row.ts'

/** The number of requests that a server gets in half an hour at 110 per second. */
const REQUESTS = 200_000
const WARM_UP = 20_000
const MIB = 1024 * 1024

/** Measures whether completed requests leave anything in the heap of a server. */
export const createHttpGrowthRow = (shutdown: Shutdown): Row => ({
  name: 'http-growth',
  title: `the heap of a server before and after ${REQUESTS} requests`,
  async measure() {
    const server = await startServer('kithgraph', shutdown)
    await load(server, 'photos', { amount: WARM_UP })
    const before = await server.readUsage('heap')
    await load(server, 'photos', { amount: REQUESTS })
    const after = await server.readUsage('heap')
    const line = (label: string, bytes: number): Finding => ({
      label,
      figure: spreadOf([bytes / MIB]),
      unit: 'MiB',
    })
    return [
      line('heap before', before),
      line('heap after', after),
      { ...line('growth', after - before), bar: { max: 5 } },
    ]
  },
})
