import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/stores/postgres/database.ts'
import { TableStatistics } from '../../../src/stores/postgres/table-statistics.ts'
import { putNode } from '../../../src/testing/records.ts'

const MANY_MUTATIONS = Array.from({ length: 100_000 }, () => putNode('1'))

/** Creates statistics whose updates fail at once, and records the deadlines of the updates. */
const createStatistics = () => {
  const deadlines: (number | undefined)[] = []
  const database: Pick<Database, 'query'> = {
    query: async (_statement, _parameters, { deadline }) => {
      deadlines.push(deadline)
      throw new Error('permission denied')
    },
  }
  return { statistics: new TableStatistics(database, 'kithgraph'), deadlines }
}

describe('the statistics of Postgres tables', () => {
  it('are updated only until the deadline of the write', async () => {
    const { statistics, deadlines } = createStatistics()
    const deadline = Date.now() + 500
    await statistics.addWrite(MANY_MUTATIONS, deadline)
    expect(deadlines).toEqual([deadline])
  })

  it('are updated again after half as many rows if an update fails', async () => {
    const { statistics, deadlines } = createStatistics()
    const deadline = Date.now() + 500
    await statistics.addWrite(MANY_MUTATIONS, deadline)
    await statistics.addWrite(MANY_MUTATIONS.slice(50_001), deadline)
    expect(deadlines).toHaveLength(1)
    await statistics.addWrite(MANY_MUTATIONS.slice(0, 1), deadline)
    expect(deadlines).toHaveLength(2)
  })

  it('are updated for at most ten seconds if the write has more time', async () => {
    const { statistics, deadlines } = createStatistics()
    const latest = Date.now() + 10_000
    await statistics.addWrite(MANY_MUTATIONS, Date.now() + 3_600_000)
    expect(deadlines).toEqual([expect.closeTo(latest, -3)])
  })
})
