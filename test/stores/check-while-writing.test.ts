import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CheckedEngine,
  type CheckedStore,
  SCHEMA_FILE,
  startClusterEngine,
  startPostgresEngine,
  startRedisEngine,
  startSqliteEngine,
} from '../cli/checked-stores.ts'
import { hasRedisServer } from '../helpers/redis.ts'

const isLong = process.env.KITHGRAPH_LONG !== undefined
const PEOPLE = 60
const CHECKS = isLong ? 200 : 6
const REPAIRS = isLong ? 20 : 2
const WRITERS = 3
const PAUSE_MS = 5

const person = (id: number) =>
  ({ op: 'putNode', node: { id: `${id}`, type: 'person', fields: { name: 'Ada' } } }) as const

/** Writes and deletes mirrored edges and nodes until it is stopped. */
const keepWriting = async ({ graph }: CheckedStore, isStopped: () => boolean): Promise<void> => {
  const randomId = () => 1 + Math.floor(Math.random() * PEOPLE)
  while (!isStopped()) {
    const [source, target, deleted] = [randomId(), randomId(), randomId()]
    const edge = { source: `${source}`, name: 'friends', target: `${target}` } as const
    await graph
      .write([
        ...(Math.random() < 0.2 ? ([{ op: 'deleteNode', id: `${deleted}` }, person(deleted)] as const) : []),
        Math.random() < 0.6 ? { op: 'putEdge', edge } : { op: 'deleteEdge', edge },
        Math.random() < 0.5
          ? { op: 'putEdge', edge: { ...edge, name: 'follows' } }
          : { op: 'deleteEdge', edge: { ...edge, name: 'follows' } },
      ])
      // A node that another writer is replacing can be missing for a moment.
      .catch(error => {
        if (error.reason !== 'invalid_mutation') throw error
      })
    // The check runs in the same process.
    await sleep(PAUSE_MS)
  }
}

const withWriters = async (store: CheckedStore, body: () => Promise<void>): Promise<void> => {
  let isStopped = false
  await store.graph.write(Array.from({ length: PEOPLE }, (_, index) => person(index + 1)))
  const writers = Array.from({ length: WRITERS }, () => keepWriting(store, () => isStopped))
  try {
    await body()
  } finally {
    isStopped = true
    await Promise.all(writers)
  }
}

/** An engine, and damage to person 1. */
type EngineCase = {
  readonly name: string
  readonly start: () => Promise<CheckedEngine>
  readonly damage: readonly string[]
}

const SQL_CASES: readonly EngineCase[] = [
  { name: 'SQLite', start: startSqliteEngine, damage: ['delete from edges where source = 1'] },
  {
    name: 'Postgres',
    start: startPostgresEngine,
    damage: [
      'delete from edges where source = 1',
      'delete from edge_sources where source = 2',
      'update edge_counts set count = count + 1 where source = 3',
    ],
  },
]

const REDIS_DAMAGE = ['del {1}efriends', 'del {2}r', 'zadd {3}efriends 5 0000000000000000077']
const REDIS_CASES: readonly EngineCase[] = hasRedisServer('check store on Redis, while other calls write')
  ? [
      { name: 'Redis', start: startRedisEngine, damage: REDIS_DAMAGE },
      ...(isLong ? [{ name: 'Redis Cluster', start: startClusterEngine, damage: REDIS_DAMAGE }] : []),
    ]
  : []

describe.each([...SQL_CASES, ...REDIS_CASES])(
  'check store on $name, while other calls write',
  ({ start, damage }) => {
    let engine: CheckedEngine
    let store: CheckedStore
    beforeAll(async () => {
      engine = await start()
      store = await engine.create()
    })
    afterAll(async () => {
      await store.close()
      await engine.stop()
    })

    it('reports nothing in a healthy store', () =>
      withWriters(store, async () => {
        for (let check = 0; check < CHECKS; check++) {
          const { status, lines } = await store.check('--schema', SCHEMA_FILE)
          expect(lines.filter(line => !line.startsWith('note'))).toEqual([
            expect.stringMatching(/^checked \d+ nodes and \d+ edges?: no errors$/),
          ])
          expect(status).toBe(0)
        }
      }))

    it('repairs a damaged store completely', async () => {
      await withWriters(store, async () => {
        for (let repair = 0; repair < REPAIRS; repair++) {
          for (const text of damage) await store.execute(text)
          await store.check('--schema', SCHEMA_FILE, '--repair', '--remove')
        }
      })
      // A recovery note of a recent write explains an error until the note is settled.
      const countNotes = async () =>
        (await store.check()).lines.filter(line => /unfinished|recovery note/.test(line)).length
      await expect.poll(countNotes).toBe(0)
      const { lines } = await store.check('--schema', SCHEMA_FILE, '--repair', '--remove')
      expect(lines.at(-1)).toMatch(/no errors$/)
    })
  },
)
