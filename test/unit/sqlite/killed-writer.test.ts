import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import { createSqliteStore } from 'kithgraph/sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import { EDGES_PER_BATCH } from '../../helpers/sqlite-batches.ts'
import { createTemporaryFolder } from '../../helpers/sqlite-databases.ts'

const ROOT = join(import.meta.dirname, '../../..')
const HUBS = ['1', '2']
const ROUNDS = 2
const MIN_BATCHES = 15

const folder = createTemporaryFolder()
afterEach(folder.remove)

/**
 * Starts a process that writes to a hub, kills it during a write, and returns its last acknowledged batch.
 */
const writeAndKill = async (path: string, hub: string): Promise<number> => {
  const args = ['--import', 'tsx', 'test/helpers/sqlite-writer.ts', path, hub]
  const writer = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(writer, 'exit')
  let acknowledged = 0
  try {
    for await (const line of createInterface({ input: writer.stdout })) {
      acknowledged = Number(line)
      if (acknowledged === MIN_BATCHES) writer.kill('SIGKILL')
    }
  } finally {
    writer.kill('SIGKILL')
    await exited
  }
  return acknowledged
}

/** Reads the last batch of a hub, the count of its edges, and the number of its entries. */
const readState = (path: string, hub: string) => {
  const database = new Database(path)
  const store = createSqliteStore(database)
  store.open()
  const limit = 1_000_000
  const range = { from: undefined, minTime: undefined, maxTime: undefined, limit, count: true }
  const { nodes, ranges } = store.read({
    ...EMPTY_REQUEST,
    nodes: [hub],
    ranges: [{ source: hub, name: 'leaves', direction: 'oldest', ...range }],
  })
  const check = database.pragma('integrity_check', { simple: true })
  database.close()
  return {
    batch: Number(nodes[0]?.fields.batch),
    total: ranges[0]?.total,
    entries: ranges[0]?.entries.length,
    check,
  }
}

describe('a process killed while it writes to SQLite', () => {
  it('leaves only whole batches, with all acknowledged ones, even if a second process writes', async () => {
    const path = join(folder.path, 'graph.db')
    for (let round = 0; round < ROUNDS; round++) {
      const acknowledged = await Promise.all(HUBS.map(hub => writeAndKill(path, hub)))
      for (const [index, hub] of HUBS.entries()) {
        const { batch, total, entries, check } = readState(path, hub)
        expect(check).toBe('ok')
        expect(batch).toBeGreaterThanOrEqual(acknowledged[index] ?? Number.NaN)
        expect(acknowledged[index]).toBeGreaterThanOrEqual(MIN_BATCHES)
        expect([total, entries]).toEqual([entries, total])
        // A later round begins with batch 1 again and overwrites existing edges.
        if (round === 0) expect(total).toBe(batch * EDGES_PER_BATCH)
      }
    }
  })
})
