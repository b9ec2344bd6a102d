import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import { createSqliteStore } from 'kithgraph/sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { NOTHING } from '../../../src/store/nothing.ts'
import { BATCH_EDGES } from '../../helpers/sqlite-batches.ts'
import { createFolder } from '../../helpers/sqlite-databases.ts'

const ROOT = join(import.meta.dirname, '../../..')
const HUBS = ['1', '2']
const ROUNDS = 2
const LEAST_BATCHES = 15

const folder = createFolder()
afterEach(folder.remove)

/** Lets a process write to a hub, kills it in the middle of it, and answers the last batch that it was sure of. */
const writeAndKill = async (path: string, hub: string): Promise<number> => {
  const args = ['--import', 'tsx', 'test/helpers/sqlite-writer.ts', path, hub]
  const writer = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(writer, 'exit')
  let answered = 0
  try {
    for await (const line of createInterface({ input: writer.stdout })) {
      answered = Number(line)
      if (answered === LEAST_BATCHES) writer.kill('SIGKILL')
    }
  } finally {
    writer.kill('SIGKILL')
    await exited
  }
  return answered
}

/** What a hub says of its last batch, and how many edges it has: counted, and one by one. */
const stateOf = (path: string, hub: string) => {
  const database = new Database(path)
  const store = createSqliteStore(database)
  store.open()
  const limit = 1_000_000
  const range = { from: undefined, minTime: undefined, maxTime: undefined, limit, count: true }
  const { nodes, ranges } = store.read({
    ...NOTHING,
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

describe('a process that is killed in the middle of writes', () => {
  it('leaves all batches that were answered, and none in parts, beside another process that writes', async () => {
    const path = join(folder.path, 'graph.db')
    for (let round = 0; round < ROUNDS; round++) {
      const answered = await Promise.all(HUBS.map(hub => writeAndKill(path, hub)))
      for (const [index, hub] of HUBS.entries()) {
        const { batch, total, entries, check } = stateOf(path, hub)
        expect(check).toBe('ok')
        expect(batch).toBeGreaterThanOrEqual(answered[index] ?? Number.NaN)
        expect(answered[index]).toBeGreaterThanOrEqual(LEAST_BATCHES)
        expect([total, entries]).toEqual([entries, total])
        // A later round begins with batch 1 again, over edges that are there.
        if (round === 0) expect(total).toBe(batch * BATCH_EDGES)
      }
    }
  })
})
