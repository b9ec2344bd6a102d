import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { describe, expect, it } from 'vitest'
import { isGraphError } from '../../../src/base/errors.ts'
import { createToken, deleteEdge, putEdge, putNode, withMirror } from '../../../src/testing/records.ts'
import {
  BATCH_ID,
  befriend,
  ifExisting,
  ifMissing,
  increment,
  write,
} from '../../helpers/conditional-batches.ts'

/** A client that accepts no command. */
const client: RedisClient = {
  pipeline: () => {
    throw new Error('a command was sent')
  },
  call: () => Promise.reject(new Error('a command was sent')),
}
const incrementOne = increment('1')
const putToken = { op: 'putToken', digest: 'abc', token: createToken('demo') } as const
const unfriend = withMirror(deleteEdge('1', 'friends', '2'), 'friends')
const wrongMirror = {
  op: 'putEdge',
  edge: { source: '1', name: 'likes', target: '2', time: 1 },
  mirror: { source: '3', name: 'likes', target: '1' },
} as const

describe('a batch with a condition or an increment for Redis', () => {
  it.each([
    ['a second source', [incrementOne, putNode('2')], 1, 'node.id'],
    ['a source other than that of its increment', [putNode('2'), incrementOne], 1, 'id'],
    ['an edge of a second source', [incrementOne, putEdge('2', 'likes', '1')], 1, 'edge.source'],
    ['a mirrored edge that names another source first', [incrementOne, befriend('2', '1')], 1, 'edge.source'],
    ['a token', [incrementOne, putToken], 1, 'op'],
    ['a condition of a mirrored edge, and more', [ifMissing(befriend('1', '2')), incrementOne], 0, 'when'],
    ['more, and a condition of a mirrored edge', [incrementOne, ifMissing(befriend('2', '1'))], 1, 'when'],
    [
      'a condition of the deletion of a mirrored edge, and more',
      [ifExisting(unfriend), incrementOne],
      0,
      'when',
    ],
  ] as const)('is rejected before it sends a command if it has %s', async (_, batch, index, path) => {
    for (const batchId of [undefined, BATCH_ID]) {
      const error = await write(createRedisStore(client), batch, batchId).catch(error => error)
      expect(isGraphError(error) && [error.reason, error.data.index, error.data.path]).toEqual([
        'invalid_mutation',
        index,
        path,
      ])
      expect(String(error)).toMatch(/at one source \(use several writes\)|since the edge has a mirror/)
    }
  })

  it('is rejected with a TypeError before it sends a command if a mirror is not an edge back', async () => {
    const mutation = ifExisting(wrongMirror)
    await expect(write(createRedisStore(client), [mutation])).rejects.toThrow(TypeError)
  })
})
