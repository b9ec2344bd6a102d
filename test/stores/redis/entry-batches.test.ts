import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WriteCondition } from '../../../src/store/conditional.ts'
import { ROOT_ID } from '../../../src/store/derived-entries.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { incrementNode, patchNode, putNode, withCondition } from '../../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { breakAfter } from '../../helpers/redis-clients.ts'
import {
  collect,
  createFlag,
  deleteNode,
  EntryStore,
  order,
  putEvent,
  putFriends,
  putLike,
} from '../../helpers/redis-entries.ts'

const EXISTING = [
  ...putEvent('1', 10),
  ...putEvent('2', 20),
  ...putEvent('3', 30),
  ...putFriends('1', '2', 5),
]

/** Adds a condition to the first mutation of a batch. */
const on = (when: WriteCondition, [first, ...entries]: readonly StoreMutation[]): readonly StoreMutation[] =>
  first === undefined ? [] : [withCondition(first, when), ...entries]

/** Batches that write to one source, with conditions that hold. */
const CONDITIONAL: { readonly [name: string]: readonly StoreMutation[] } = {
  'a new node with a flag': [
    ...on({ exists: false }, putEvent('4', 1)),
    { op: 'putFlag', flag: createFlag('events') },
  ],
  'a patch': on({ fields: { rank: 10 } }, [patchNode('1', { rank: 11 }), collect('1')]),
  'an increment': [incrementNode('1', 'rank', 2), collect('1')],
  'an edge': on({ exists: false }, putLike('1', '3', 4)),
  'a mirrored edge': on({ fields: { rank: 5 } }, putFriends('1', '2', 6)),
  'a mirrored edge, by its other side': on({ fields: { rank: 5 } }, putFriends('2', '1', 7)),
  'a node and an edge': [incrementNode('1', 'rank', 3), collect('1'), ...putLike('1', '3', 8)],
}

const PLAIN: { readonly [name: string]: readonly StoreMutation[] } = {
  'a replaced node with edges': [
    deleteNode('1'),
    ...putEvent('1', 12),
    ...putFriends('2', '1', 9),
    ...putLike('1', '3', 9),
  ],
  'several nodes': [
    ...putEvent('1', 13),
    ...putEvent('4', 14),
    patchNode('2', { rank: 15 }),
    collect('2'),
    deleteNode('3'),
  ],
}

describe.skipIf(!hasRedisServer('batches with entries in Redis'))('a batch with entries in Redis', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  const create = async () => {
    const entries = new EntryStore(server.admin, `batches ${++stores}:`, ['1', '2', '3', '4'])
    await entries.store.open()
    await entries.write(...EXISTING)
    return entries
  }

  it.each(Object.entries(CONDITIONAL))('is written if its conditions hold: %s', async (_, mutations) => {
    const entries = await create()
    await entries.write(...mutations)
    await entries.assertComplete()
  })

  it.each(Object.entries({ ...CONDITIONAL, ...PLAIN }))(
    'is written once if it is sent again with its id after its writer was killed: %s',
    async (_, mutations) => {
      const write = async (entries: EntryStore, store = entries.store) =>
        store.write(mutations, { signal: undefined, batch: { id: 'a', digest: 'b', keepMs: 60_000 } })
      const once = await create()
      await write(once)
      const expected = await once.readNodes()
      for (let steps = 0, isDone = false; !isDone; steps++) {
        const entries = await create()
        isDone = await write(entries, entries.over(breakAfter(server.admin, steps))).then(
          () => true,
          () => false,
        )
        await entries.assertTrue()
        await write(entries)
        await entries.assertComplete()
        expect(await entries.readNodes()).toEqual(expected)
        await entries.write(...putEvent('1', 77))
        await write(entries)
        await entries.assertComplete()
        expect((await entries.readNodes())[0]?.fields.rank).toBe(77)
      }
    },
  )

  it('changes no entry if a condition does not hold, and names the mutation', async () => {
    const entries = await create()
    const late = on({ fields: { rank: 4 } }, putFriends('2', '1', 8))
    await expect(entries.write(...late)).rejects.toMatchObject({ reason: 'conflict', data: { index: 0 } })
    const flag: StoreMutation = { op: 'putFlag', flag: createFlag('events') }
    const patch = on({ fields: { rank: 4 } }, [patchNode('1', { rank: 9 }), collect('1')])
    await expect(entries.write(flag, ...patch)).rejects.toMatchObject({ data: { index: 1 } })
    await entries.assertComplete()
    expect(await entries.readFlags('events')).toEqual([false])
  })

  it('is rejected if it has a condition and other sources, whatever its entries', async () => {
    const entries = await create()
    const batch = [...on({ exists: true }, [patchNode('1', { rank: 1 }), collect('1')]), putNode('2')]
    await expect(entries.write(...batch)).rejects.toMatchObject({
      reason: 'invalid_mutation',
      data: { index: 2 },
    })
    const mirrored = [...on({ exists: true }, putFriends('1', '2', 8)), ...putLike('1', '3', 8)]
    await expect(entries.write(...mirrored)).rejects.toMatchObject({ reason: 'invalid_mutation' })
    await entries.assertComplete()
  })

  it('may derive entries of records that it does not write', async () => {
    const entries = await create()
    await entries.write(putNode('4', { rank: 40 }))
    await entries.write(incrementNode('1', 'rank', 1), collect('1'), collect('4'), order('2', 'friends', '1'))
    await entries.assertComplete()
  })

  it('derives the entry of a missing edge and of a missing node as none', async () => {
    const entries = await create()
    await entries.write(
      collect('9'),
      order('9', 'likes', '1'),
      order('1', 'likes', '9'),
      order('1', 'likes', '2'),
    )
    await entries.assertComplete()
    expect(
      await entries.store.read(
        { nodes: [], ranges: [], checks: [{ source: ROOT_ID, name: 'events', target: '9' }], tokens: [] },
        { signal: undefined, deadline: undefined, minRevision: undefined },
      ),
    ).toMatchObject({ checks: [false] })
  })
})
