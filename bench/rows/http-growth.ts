import { load } from '../http/load.ts'
import { startServer } from '../http/server-process.ts'
import type { Finding } from '../measure/finding.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Row } from './row.ts'

/** As many as come in half an hour at a hundred and more a second. */
const REQUESTS = 200_000
const WARM_UP = 20_000
const MIB = 1024 * 1024

/** What a server keeps of many requests: nothing. */
export const createHttpGrowthRow = (shutdown: Shutdown): Row => ({
  name: 'http-growth',
  title: `What a server holds before and after ${REQUESTS} requests`,
  async measure() {
    const server = await startServer('kithgraph', shutdown)
    await load(server, 'photos', { amount: WARM_UP })
    const before = await server.ask('heap')
    await load(server, 'photos', { amount: REQUESTS })
    const after = await server.ask('heap')
    const line = (label: string, bytes: number): Finding => ({
      label,
      figure: spreadOf([bytes / MIB]),
      unit: 'MiB',
    })
    return [
      line('heap before', before),
      line('heap after', after),
      { ...line('growth', after - before), bar: { atMost: 5 } },
    ]
  },
})
