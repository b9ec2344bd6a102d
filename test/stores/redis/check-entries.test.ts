import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createShards, shardOf } from '../../../src/stores/redis/shards.ts'
import { type CheckedEngine, type CheckedStore, startRedisEngine } from '../../cli/checked-stores.ts'
import { CHECK, damageLines, HEALTHY, readEntries, withCollectedEvents } from '../../cli/collected-events.ts'
import { hasRedisServer } from '../../helpers/redis.ts'

const NO_ID = '0'.repeat(19)
const member = (id: string): string => NO_ID.slice(id.length) + id

const SHARDS = createShards(16)
/** Returns the key of the sorted set with the entry of a node in a collection. */
const listOf = (id: string, collection = 'events'): string => `{${shardOf(SHARDS, id)}}e${collection}`
const lastOf = (id: string, collection = 'events'): string => `{${shardOf(SHARDS, id)}}c${collection}`

const OLD_SUFFIX = '@0000000000000001'

/** Damage to the entries of event 2, and the lines that report it. */
type Damage = {
  readonly name: string
  /** Commands of Redis. `$last` is the suffix of the entry of event 2 in `events`. */
  readonly commands: readonly string[]
  readonly lines: readonly string[]
  readonly flags: readonly string[]
}

const REPAIR = ['--repair']
const REMOVE = ['--repair', '--remove']

const DAMAGES: readonly Damage[] = [
  {
    name: 'a node that a collection lacks',
    commands: [`zrem ${listOf('2')} ${member('2')}$last`, `hdel ${lastOf('2')} ${member('2')}`],
    lines: ['missing entry: root "events" 2'],
    flags: REPAIR,
  },
  {
    name: 'a node that does not know its collections',
    commands: [`hdel {2}c events`],
    lines: ['missing entry: root "events" 2', 'stale entry: root "events" 2'],
    flags: REPAIR,
  },
  {
    name: 'an entry of an older state of its node',
    commands: [`zadd ${listOf('2')} 5 ${member('2')}${OLD_SUFFIX}`],
    lines: ['stale entry: root "events" 2'],
    flags: REMOVE,
  },
  {
    name: 'an entry of an older generation of its node, which is the last one',
    commands: [
      `zrem ${listOf('2')} ${member('2')}$last`,
      `hset ${lastOf('2')} ${member('2')} ${OLD_SUFFIX}`,
      `zadd ${listOf('2')} 5 ${member('2')}${OLD_SUFFIX}`,
      `hdel {2}c events`,
    ],
    lines: ['missing entry: root "events" 2', 'stale entry: root "events" 2'],
    flags: REMOVE,
  },
  {
    name: 'an entry of a missing node',
    commands: [
      `zadd ${listOf('777')} 5 ${member('777')}${OLD_SUFFIX}`,
      `hset ${lastOf('777')} ${member('777')} ${OLD_SUFFIX}`,
    ],
    lines: ['dangling edge: root "events" 777'],
    flags: REMOVE,
  },
  {
    name: 'a node of another type in a collection',
    commands: [
      `hset {1002}c events '${OLD_SUFFIX.slice(1)} 5'`,
      `zadd ${listOf('1002')} 5 ${member('1002')}${OLD_SUFFIX}`,
      `hset ${lastOf('1002')} ${member('1002')} ${OLD_SUFFIX}`,
    ],
    lines: ['entry without record: root "events" 1002'],
    flags: REPAIR,
  },
  {
    name: 'an edge that an order lacks',
    commands: [`zrem {2}ecomments#top ${member('1002')}+`],
    lines: ['missing entry: 2 "comments#top" 1002'],
    flags: REPAIR,
  },
  {
    name: 'an entry of an order without its edge',
    commands: [
      `zadd {2}ecomments#top 5 ${member('1003')}+`,
      `hset {2}dcomments#top ${member('1003')} [5,{"score":5,"#time":1}]`,
    ],
    lines: ['entry without record: 2 "comments#top" 1003'],
    flags: REPAIR,
  },
]

describe.skipIf(!hasRedisServer('check store with collections, on Redis'))(
  'check store with collections and orders on Redis',
  () => {
    let engine: CheckedEngine
    beforeAll(async () => {
      engine = await startRedisEngine()
    })
    afterAll(() => engine.stop())

    const withEvents = (body: (store: CheckedStore) => Promise<void>) => withCollectedEvents(engine, body)

    /** Removes recovery notes, which explain a missing entry. */
    const removeNotes = async (store: CheckedStore): Promise<void> => {
      for (const id of ['2', '1002', '2002']) await store.execute(`del {${id}}u`)
    }

    it('reports nothing in a healthy store', () =>
      withEvents(async store => {
        expect(await store.run(CHECK)).toMatchObject({ status: 0, errors: [] })
        expect((await store.run(CHECK)).lines.at(-1)).toBe(HEALTHY)
      }))

    it.each(DAMAGES)('reports and repairs $name', ({ commands, lines, flags }) =>
      withEvents(async store => {
        await removeNotes(store)
        const last = String(await store.execute(`hget ${lastOf('2')} ${member('2')}`))
        for (const command of commands) await store.execute(command.replace('$last', last))
        expect(await damageLines(store)).toEqual(lines)
        const { lines: printed } = await store.run([...CHECK, ...flags])
        expect(printed.at(-1)).toBe(HEALTHY)
        const { stored, expected } = await readEntries(store)
        expect(stored).toEqual(expected)
      }),
    )
  },
)
