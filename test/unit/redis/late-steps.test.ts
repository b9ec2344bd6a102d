import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mutation } from '../../../src/store/contract.ts'
import { NOTHING } from '../../../src/store/nothing.ts'
import { ADD_REVERSE, DELETE_NODE, FORGET_REVERSE, WRITE_EDGES } from '../../../src/stores/redis/scripts.ts'
import { putEdge, putNode, putNodes, rangeOf } from '../../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { beforeScript, behindScript } from '../../helpers/redis-clients.ts'

const NO_OPTIONS = { signal: undefined, deadline: undefined, atLeast: undefined }
const deleteNode = (id: string): Mutation => ({ op: 'deleteNode', id })

/** What one writer waits for, and another gives. */
const signal = () => {
  let give: () => void = () => {}
  const given = new Promise<void>(resolve => {
    give = resolve
  })
  return { given, give: () => give() }
}

describe.skipIf(!hasRedisServer('steps of writers to Redis that come late'))('a step that comes late', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  /** A store, and how others write to it over clients of their own. */
  const create = async (...mutations: readonly Mutation[]) => {
    const prefix = `store ${++stores}:`
    const writeOver = async (client: RedisClient, ...mutations: readonly Mutation[]) => {
      const store = createRedisStore(client, { prefix })
      await store.open()
      await store.write(mutations, { signal: undefined })
    }
    const write = (...mutations: readonly Mutation[]) => writeOver(server.admin, ...mutations)
    await write(...mutations)
    const targets = async (source: string, name: string): Promise<readonly string[]> => {
      const store = createRedisStore(server.admin, { prefix })
      const { ranges } = await store.read({ ...NOTHING, ranges: [rangeOf(source, name)] }, NO_OPTIONS)
      return ranges.flatMap(slice => slice.entries.map(entry => entry.target))
    }
    const keys = () => server.admin.keys(`${prefix}*`)
    return { write, writeOver, targets, keys }
  }

  it('deletes the lists that there are by now, where as many had other names before', async () => {
    const { write, writeOver, targets, keys } = await create(
      ...putNodes('1', '2'),
      putEdge('1', 'likes', '2'),
    )
    const late = beforeScript(server.admin, DELETE_NODE, async () => {
      await write(deleteNode('1'))
      await write(putNode('1'), putEdge('1', 'knows', '2'))
    })
    await writeOver(late, deleteNode('1'))
    await write(putNode('1'))
    expect(await targets('1', 'knows')).toEqual([])
    await write(deleteNode('1'), deleteNode('2'))
    expect(await keys()).toEqual([])
  })

  it('purges nothing of a node that was put again', async () => {
    const people = ['3', '4', '5']
    const { write, writeOver, targets } = await create(...putNodes('1', '2', ...people))
    const deleting = beforeScript(server.admin, ADD_REVERSE, () => write(deleteNode('2')))
    const late = behindScript(deleting, ADD_REVERSE, () =>
      write(putNode('2'), ...people.map(id => putEdge(id, 'likes', '2'))),
    )
    await writeOver(late, putEdge('1', 'likes', '2'))
    for (const id of people) expect(await targets(id, 'likes')).toEqual(['2'])
  })

  it('forgets nothing that a node put again remembers', async () => {
    const { write, writeOver, targets } = await create(...putNodes('1', '2'), putEdge('1', 'likes', '2'))
    const late = beforeScript(server.admin, FORGET_REVERSE, () =>
      write(putNode('2'), putEdge('1', 'likes', '2')),
    )
    await writeOver(late, deleteNode('2'))
    expect(await targets('1', 'likes')).toEqual(['2'])
    await write(deleteNode('2'))
    await write(putNode('2'))
    expect(await targets('1', 'likes')).toEqual([])
  })

  it('leaves no edge to a deleted node, where others purge it meanwhile', async () => {
    const { write, writeOver, targets } = await create(...putNodes('1', '2'), putEdge('1', 'likes', '2', 1))
    const purging = signal()
    const written = signal()
    let deletion: Promise<void> | undefined
    const deleter = beforeScript(server.admin, FORGET_REVERSE, () => {
      purging.give()
      return written.given
    })
    // The edge is put again after it was purged from the list of 1, and before it is purged from what 2 remembers.
    const put = beforeScript(server.admin, WRITE_EDGES, () => {
      deletion = writeOver(deleter, deleteNode('2'))
      return purging.given
    })
    const late = behindScript(put, ADD_REVERSE, async () => {
      written.give()
      await deletion
    })
    await writeOver(late, putEdge('1', 'likes', '2', 2))
    await write(putNode('2'))
    expect(await targets('1', 'likes')).toEqual([])
  })
})
