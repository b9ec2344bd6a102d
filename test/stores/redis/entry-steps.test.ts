import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { deleteEdge, patchNode, putNodes, withMirror } from '../../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { actBeforeEach, breakAfter } from '../../helpers/redis-clients.ts'
import {
  collect,
  deleteNode,
  EntryStore,
  order,
  putEvent,
  putFriends,
  putLike,
} from '../../helpers/redis-entries.ts'

/** A number of steps that no write exceeds. */
const MAX_STEPS = 40

const EXISTING: readonly StoreMutation[] = [
  ...putEvent('1', 10),
  ...putEvent('2', 20),
  ...putEvent('3', 30),
  ...putFriends('1', '2', 5),
  ...putLike('1', '3', 5),
]

const removal = withMirror(deleteEdge('2', 'friends', '1'), 'friends')
const friendEntries = [order('1', 'friends', '2'), order('2', 'friends', '1')]

/** The writes of one writer, each as one batch. */
const WRITES: { readonly [name: string]: readonly StoreMutation[] } = {
  'put of a node': putEvent('1', 11),
  'patch of a node': [patchNode('1', { rank: 12 }), collect('1')],
  'removal of an entry': [patchNode('1', { rank: null }), collect('1')],
  'deletion of a node': [deleteNode('1')],
  'replacement of a node': [deleteNode('1'), ...putEvent('1', 13)],
  'new node': putEvent('4', 14),
  'derived entry of a node': [collect('1')],
  'conditional patch': [
    {
      op: 'patchNode',
      id: '1',
      fields: {},
      increment: { rank: { by: 1, min: 0, max: 99, isInteger: true } },
    },
    collect('1'),
  ],
  'put of an edge': putLike('1', '3', 6),
  'put of a mirrored edge': putFriends('2', '1', 7),
  'conditional put of a mirrored edge': putFriends('2', '1', 8).map(mutation =>
    mutation.op === 'putEdge' ? { ...mutation, when: { fields: { rank: 5 } } } : mutation,
  ),
  'deletion of a mirrored edge': [removal, ...friendEntries],
  'derived entry of an edge': [order('1', 'likes', '3')],
}

/** What other writers do meanwhile. */
const OTHERS: { readonly [name: string]: readonly (readonly StoreMutation[])[] } = {
  'put the node': [putEvent('1', 21)],
  'delete the node': [[deleteNode('1')]],
  'delete and put the node': [[deleteNode('1')], putEvent('1', 22)],
  'delete the node, and put it without an entry': [[deleteNode('1')], putNodes('1'), [collect('1')]],
  'put the edges': [putLike('1', '3', 23), putFriends('1', '2', 24)],
  'delete the edges': [
    [removal, ...friendEntries],
    [deleteEdge('1', 'likes', '3'), order('1', 'likes', '3')],
  ],
  'derive the entries again': [[collect('1'), ...friendEntries, order('1', 'likes', '3')]],
  'delete and put a target with its edges': [
    [deleteNode('3')],
    [...putEvent('3', 31), ...putLike('1', '3', 25)],
  ],
}

describe.skipIf(!hasRedisServer('entries of collections and orders in Redis'))(
  'the entries of a Redis store',
  () => {
    let server: RedisServer
    let stores = 0

    beforeAll(async () => {
      server = await startRedis()
    })
    afterAll(() => server?.stop())

    const create = async () => {
      const entries = new EntryStore(server.admin, `entries ${++stores}:`, ['1', '2', '3', '4'])
      await entries.store.open()
      await entries.write(...EXISTING)
      return entries
    }

    it.each(Object.keys(WRITES))(
      'are true after each step of a killed writer and complete after a recovery: %s',
      async name => {
        for (let steps = 0; ; steps++) {
          expect(steps).toBeLessThan(MAX_STEPS)
          const entries = await create()
          const isDone = await entries
            .writeOver(breakAfterOpening(server, steps), ...(WRITES[name] ?? []))
            .then(
              () => true,
              () => false,
            )
          await entries.assertTrue()
          if (steps % 2 === 0) await entries.write(...putEvent('2', 99))
          await entries.store.recover()
          await entries.assertComplete()
          if (isDone) break
        }
      },
    )

    it.each(Object.keys(WRITES))(
      'stay complete if a writer pauses before any step while others write: %s',
      async name => {
        for (let steps = 0, isPaused = true; isPaused; steps++) {
          expect(steps).toBeLessThan(MAX_STEPS)
          isPaused = false
          for (const [index, others] of Object.values(OTHERS).entries()) {
            // Short runs do a third of the writes at each step.
            if (!process.env.KITHGRAPH_LONG && (index + steps) % 3 !== 0) continue
            const entries = await create()
            let step = 0
            let isWriting = true
            const paused = actBeforeEach(server.admin, async () => {
              // Later, the store settles its recovery notes over the same client.
              if (!isWriting || step++ !== steps) return
              isPaused = true
              for (const mutations of others) await entries.write(...mutations).catch(() => undefined)
              await entries.assertTrue()
            })
            await entries.writeOver(paused, ...(WRITES[name] ?? [])).catch(() => undefined)
            isWriting = false
            await entries.assertTrue()
            // A recovery note completes a mirrored edge whose node is deleted between its two sides.
            if (name.includes('mirrored')) await entries.store.recover()
            await entries.assertComplete()
          }
        }
      },
    )

    it('are completed by the next write of the node, although its position stays', async () => {
      for (let steps = 1; steps < 4; steps++) {
        const entries = await create()
        await entries.writeOver(breakAfterOpening(server, steps), ...putEvent('1', 50)).catch(() => undefined)
        await entries.write(patchNode('1', { name: 'Ada' }), collect('1'))
        await entries.assertComplete()
      }
    })
  },
)

/** Creates a client whose connection breaks after some commands that do not open the store. */
const breakAfterOpening = (server: RedisServer, commands: number) => {
  const broken = breakAfter(server.admin, commands)
  return {
    ...broken,
    call: (command: string, args: string[]) =>
      command === 'script' || command === 'info'
        ? server.admin.call(command, args)
        : broken.call(command, args),
  }
}
