import { describe, expect, it } from 'vitest'
import { runHotNodes } from './campaigns/common/run-hot-nodes.ts'

const SECONDS = process.env.KITHGRAPH_LONG ? 60 : 2

describe('16 writers of a Postgres store that delete, put and connect the same 50 nodes', () => {
  it('never deadlock and never fail, and mirrors, reverse entries and counts match the edges', async () => {
    const { batches, p99, ...result } = await runHotNodes({
      seconds: SECONDS,
      seed: 1,
      writers: 16,
      nodes: 50,
    })
    console.info(`${batches} batches, p99 ${p99.toFixed(1)} ms`)
    expect(batches).toBeGreaterThan(0)
    expect(result).toMatchObject({ failures: 0, deadlocks: 0, differences: 0 })
  })
})
