import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CheckedEngine,
  type CheckedStore,
  startPostgresEngine,
  startSqliteEngine,
} from '../cli/checked-stores.ts'
import { CHECK, COLLECT, readEntries, writeOldEvents } from '../cli/collected-events.ts'

const RUNS = process.env.KITHGRAPH_LONG === undefined ? 5 : 50
const WRITERS = 4
const EVENTS = 200

const WRITER_FILE = join(import.meta.dirname, '../helpers/event-writer.ts')

/** Starts a process that changes events. */
const startWriter = async (): Promise<ChildProcess> => {
  const writer = fork(WRITER_FILE, { execArgv: ['--import', 'tsx'] })
  await once(writer, 'message')
  return writer
}

const stopWriting = async (writer: ChildProcess): Promise<number> => {
  const stopped = once(writer, 'message')
  writer.send('stop')
  const [{ writes, error }] = await stopped
  if (error !== undefined) throw new Error(error)
  return writes
}

describe.each([
  { name: 'SQLite', start: startSqliteEngine },
  { name: 'Postgres', start: startPostgresEngine },
])('collect on $name, while four processes write', ({ start }) => {
  let engine: CheckedEngine
  let writers: readonly ChildProcess[]
  beforeAll(async () => {
    engine = await start()
    writers = await Promise.all(Array.from({ length: WRITERS }, startWriter))
  })
  afterAll(async () => {
    for (const writer of writers) writer.kill()
    await engine.stop()
  })

  const collectWhileWriting = async (store: CheckedStore): Promise<void> => {
    for (const writer of writers) writer.send({ url: store.url, name: store.name })
    // The writers first open the store.
    await sleep(200)
    const { status, errors } = await store.run(COLLECT)
    const check = await store.run(CHECK)
    const writes = await Promise.all(writers.map(stopWriting))
    expect({ status, errors }).toEqual({ status: 0, errors: [] })
    expect(check.lines.filter(line => !line.startsWith('note'))).toEqual([
      expect.stringMatching(/^checked \d+ nodes, \d+ edges and \d+ entries: no errors$/),
    ])
    expect(Math.min(...writes)).toBeGreaterThan(0)
  }

  it.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
    'makes collections equal to the nodes and orders equal to the edges, without a false report of a check: run %i',
    async () => {
      const store = await engine.create()
      try {
        await writeOldEvents(store, EVENTS)
        await collectWhileWriting(store)
        const { stored, expected } = await readEntries(store)
        expect(stored).toEqual(expected)
        expect(await store.run(CHECK)).toMatchObject({ status: 0 })
      } finally {
        await store.close()
      }
    },
  )
})
