import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { EXPRESSION_KINDS } from '../heap/distinct-requests.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import { temporaryFolder } from '../servers/temporary-folder.ts'
import type { Row } from './row.ts'

const REQUESTS = 100_000
const MB = 1_000_000

/**
 * Measures how much the heap grows through caching plans. Each kind of expression runs in its own process.
 */
export const createPlanCacheRow = (shutdown: Shutdown): Row => ({
  name: 'plan-cache',
  title: `the growth of the heap after ${REQUESTS} requests with different expressions`,
  async measure() {
    const file = join(temporaryFolder(shutdown), 'distinct.mjs')
    await build({
      entryPoints: ['bench/heap/distinct-process.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: file,
      logLevel: 'error',
    })
    return EXPRESSION_KINDS.map(kind => {
      const grown = execFileSync(process.execPath, ['--expose-gc', file, kind, `${REQUESTS}`], {
        encoding: 'utf8',
      })
      return { label: kind, figure: spreadOf([Number(grown) / MB]), unit: 'MB', bar: { max: 100 } }
    })
  },
})
