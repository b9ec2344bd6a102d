import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../../src/store/contract.ts'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import {
  ADD_REVERSE_SCRIPT,
  DELETE_NODE_SCRIPT,
  REMOVE_REVERSE_SCRIPT,
  WRITE_EDGES_SCRIPT,
} from '../../../src/stores/redis/scripts.ts'
import { createRange, putEdge, putNode, putNodes } from '../../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { actAfterScript, actBeforeScript } from '../../helpers/redis-clients.ts'

const NO_OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
const deleteNode = (id: string): StoreMutation => ({ op: 'deleteNode', id })

/** Creates a promise that another writer resolves. */
const createSignal = () => {
  let resolve: () => void = () => {}
  const promise = new Promise<void>(onResolve => {
    resolve = onResolve
  })
  return { promise, resolve: () => resolve() }
}

describe.skipIf(!hasRedisServer('steps of writers to Redis that come late'))('a delayed Redis write', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  /** Creates a store, and functions that write to it over other clients. */
  const create = async (...mutations: readonly StoreMutation[]) => {
    const prefix = `store ${++stores}:`
    const writeOver = async (client: RedisClient, ...mutations: readonly StoreMutation[]) => {
      const store = createRedisStore(client, { prefix })
      await store.open()
      await store.write(mutations, { signal: undefined })
    }
    const write = (...mutations: readonly StoreMutation[]) => writeOver(server.admin, ...mutations)
    await write(...mutations)
    const targets = async (source: string, name: string): Promise<readonly string[]> => {
      const store = createRedisStore(server.admin, { prefix })
      const { ranges } = await store.read(
        { ...EMPTY_REQUEST, ranges: [createRange(source, name)] },
        NO_OPTIONS,
      )
      return ranges.flatMap(rangeResult => rangeResult.entries.map(entry => entry.target))
    }
    const keys = () => server.admin.keys(`${prefix}*`)
    return { write, writeOver, targets, keys }
  }

  it('deletes the lists that exist now, even if the same number of lists had other names before', async () => {
    const { write, writeOver, targets, keys } = await create(
      ...putNodes('1', '2'),
      putEdge('1', 'likes', '2'),
    )
    const late = actBeforeScript(server.admin, DELETE_NODE_SCRIPT, async () => {
      await write(deleteNode('1'))
      await write(putNode('1'), putEdge('1', 'knows', '2'))
    })
    await writeOver(late, deleteNode('1'))
    await write(putNode('1'))
    expect(await targets('1', 'knows')).toEqual([])
    await write(deleteNode('1'), deleteNode('2'))
    expect(await keys()).toEqual([])
  })

  it('removes no edges to a node that was put again', async () => {
    const people = ['3', '4', '5']
    const { write, writeOver, targets } = await create(...putNodes('1', '2', ...people))
    const deleting = actBeforeScript(server.admin, ADD_REVERSE_SCRIPT, () => write(deleteNode('2')))
    const late = actAfterScript(deleting, ADD_REVERSE_SCRIPT, () =>
      write(putNode('2'), ...people.map(id => putEdge(id, 'likes', '2'))),
    )
    await writeOver(late, putEdge('1', 'likes', '2'))
    for (const id of people) expect(await targets(id, 'likes')).toEqual(['2'])
  })

  it('removes no record of the edges to a node that was put again', async () => {
    const { write, writeOver, targets } = await create(...putNodes('1', '2'), putEdge('1', 'likes', '2'))
    const late = actBeforeScript(server.admin, REMOVE_REVERSE_SCRIPT, () =>
      write(putNode('2'), putEdge('1', 'likes', '2')),
    )
    await writeOver(late, deleteNode('2'))
    expect(await targets('1', 'likes')).toEqual(['2'])
    await write(deleteNode('2'))
    await write(putNode('2'))
    expect(await targets('1', 'likes')).toEqual([])
  })

  it('leaves no edge to a deleted node if another writer removes its edges at the same time', async () => {
    const { write, writeOver, targets } = await create(...putNodes('1', '2'), putEdge('1', 'likes', '2', 1))
    const purging = createSignal()
    const written = createSignal()
    let deletion: Promise<void> | undefined
    const deleter = actBeforeScript(server.admin, REMOVE_REVERSE_SCRIPT, () => {
      purging.resolve()
      return written.promise
    })
    // The edge is put again after it is purged from the list of 1, and before it is purged from the records
    // of 2.
    const put = actBeforeScript(server.admin, WRITE_EDGES_SCRIPT, () => {
      deletion = writeOver(deleter, deleteNode('2'))
      return purging.promise
    })
    const late = actAfterScript(put, ADD_REVERSE_SCRIPT, async () => {
      written.resolve()
      await deletion
    })
    await writeOver(late, putEdge('1', 'likes', '2', 2))
    await write(putNode('2'))
    expect(await targets('1', 'likes')).toEqual([])
  })
})
