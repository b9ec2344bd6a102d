import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CheckedEngine,
  type CheckedStore,
  startClusterEngine,
  startPostgresEngine,
  startRedisEngine,
  startSqliteEngine,
} from '../cli/checked-stores.ts'
import { CHECK, COLLECT, readEntries, writeOldEvents } from '../cli/collected-events.ts'
import { hasRedisServer } from '../helpers/redis.ts'

const isLong = process.env.KITHGRAPH_LONG !== undefined
const RUNS = isLong ? 50 : 2
const CHECKS = isLong ? 20 : 3
const WRITERS = 4
const EVENTS = 900

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

const ENGINES = [
  { name: 'SQLite', start: startSqliteEngine },
  { name: 'Postgres', start: startPostgresEngine },
  ...(hasRedisServer('collect while processes write, on Redis')
    ? [
        { name: 'Redis', start: startRedisEngine },
        { name: 'Redis Cluster', start: startClusterEngine },
      ]
    : []),
]

describe.each(ENGINES)('collect on $name, while four processes write', ({ start }) => {
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

  const createOldStore = async (): Promise<CheckedStore> => {
    const store = await engine.create()
    await writeOldEvents(store, EVENTS)
    return store
  }

  /** Runs a function with a store of old events, which four processes change meanwhile. */
  const whileWriting = async (body: (store: CheckedStore) => Promise<void>): Promise<CheckedStore> => {
    const store = await createOldStore()
    const started = writers.map(writer => once(writer, 'message'))
    for (const writer of writers) writer.send({ url: store.url, name: store.name })
    await Promise.all(started)
    try {
      await body(store)
    } finally {
      await Promise.all(writers.map(stopWriting))
    }
    return store
  }

  const collect = async (store: CheckedStore): Promise<void> => {
    const { status, errors } = await store.run(COLLECT)
    expect({ status, errors }).toEqual({ status: 0, errors: [] })
  }

  it.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
    'makes collections equal to the nodes and orders equal to the edges: run %i',
    async () => {
      const old = await readEntries(await createOldStore())
      const store = await whileWriting(collect)
      const { stored, expected } = await readEntries(store)
      expect(stored).toEqual(expected)
      expect(expected).not.toEqual(old.expected)
      await store.close()
    },
  )

  it('leaves a store in which a check finds no error, at any moment', async () => {
    const store = await whileWriting(async written => {
      await collect(written)
      for (let check = 0; check < CHECKS; check++) {
        const { lines } = await written.run(CHECK)
        expect(lines.filter(line => !line.startsWith('note'))).toEqual([
          expect.stringMatching(/^checked \d+ nodes, \d+ edges and \d+ entries: no errors$/),
        ])
      }
    })
    expect(await store.run(CHECK)).toMatchObject({ status: 0 })
    await store.close()
  })
})
