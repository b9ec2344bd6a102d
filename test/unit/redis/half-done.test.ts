import { createRedisStore } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGraphError } from '../../../src/base/faults.ts'
import type { Mutation, Store, Wave } from '../../../src/store/contract.ts'
import { NOTHING } from '../../../src/store/nothing.ts'
import {
  deleteEdge,
  nodeOf,
  putEdge,
  putNode,
  putNodes,
  rangeOf,
  tokenOf,
} from '../../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { breakAfter } from '../../helpers/redis-clients.ts'

const NO_OPTIONS = { signal: undefined, deadline: undefined, atLeast: undefined }

const BEFORE = [
  ...putNodes('1', '2', '3', '4'),
  putEdge('1', 'likes', '2', 1),
  putEdge('2', 'likes', '3', 2, { note: 'old' }),
  putEdge('3', 'likes', '2', 3),
  putEdge('4', 'likes', '4', 4),
]

/** Of every kind of mutation one, and of most two. */
const BATCH: readonly Mutation[] = [
  putNode('1', { name: 'Ada' }),
  putNode('5'),
  { op: 'patchNode', id: '3', fields: { name: 'Grace' } },
  putEdge('3', 'likes', '2', 7),
  putEdge('1', 'likes', '5', 5, { note: 'new' }),
  putEdge('3', 'knows', '5', 6),
  deleteEdge('4', 'likes', '4'),
  { op: 'deleteNode', id: '2' },
  { op: 'deleteNode', id: '4' },
  putNode('4', { name: 'Barbara' }, 'other'),
  { op: 'putToken', digest: 'abc', token: tokenOf('demo') },
]

const ids = ['1', '2', '3', '4', '5']
const EVERYTHING: Wave = {
  nodes: ids,
  ranges: ids.flatMap(id => [rangeOf(id, 'likes'), rangeOf(id, 'knows')]),
  tests: ids.flatMap(source => ids.map(target => ({ source, name: 'likes', target }))),
  tokens: ['abc'],
}

const read = (store: Store, wave: Wave = EVERYTHING) => store.read(wave, NO_OPTIONS)
const write = async (store: Store, mutations: readonly Mutation[]) =>
  store.write(mutations, { signal: undefined })

describe.skipIf(!hasRedisServer('writes to Redis that break off'))('a write that breaks off', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  const create = async () => {
    const prefix = `store ${++stores}:`
    const store = createRedisStore(server.admin, { prefix })
    await store.open()
    await write(store, BEFORE)
    return { prefix, store }
  }

  /** Writes a batch over a connection that breaks behind some commands; answers what it failed with. */
  const breakOff = async (prefix: string, commands: number, batch = BATCH): Promise<unknown> => {
    const store = createRedisStore(breakAfter(server.admin, commands), { prefix })
    return write(store, batch).then(
      () => undefined,
      (error: unknown) => error,
    )
  }

  it('is completed by the same batch, wherever it broke off', async () => {
    const whole = await create()
    await write(whole.store, BATCH)
    const expected = await read(whole.store)
    let cut = 0
    for (; ; cut++) {
      const { prefix, store } = await create()
      const error = await breakOff(prefix, cut)
      if (error === undefined) break
      await write(store, BATCH)
      expect(await read(store), `cut behind ${cut} commands`).toEqual(expected)
    }
    expect(cut).toBeGreaterThan(20)
  })

  it.each([
    ['leads an edge to', putEdge('1', 'likes', '2')],
    ['patches', { op: 'patchNode', id: '2', fields: { name: 'Grace' } } as const],
  ])('is completed where it %s a node that it deletes and puts again', async (_, first) => {
    const batch = [first, { op: 'deleteNode', id: '2' } as const, putNode('2', { name: 'Ada' }, 'other')]
    for (let cut = 0; ; cut++) {
      const { prefix, store } = await create()
      if ((await breakOff(prefix, cut, batch)) === undefined) break
      await write(store, batch)
      const { nodes, ranges } = await read(store)
      expect(nodes[1], `cut behind ${cut} commands`).toEqual(nodeOf('2', { name: 'Ada' }, 'other'))
      expect(ranges.flatMap(({ entries }) => entries.filter(({ target }) => target === '2'))).toEqual([])
    }
  })

  it('answers meanwhile no edge without its ends', async () => {
    for (let cut = 0; ; cut++) {
      const { prefix, store } = await create()
      if ((await breakOff(prefix, cut)) === undefined) break
      const { nodes, ranges, tests } = await read(store)
      const there = new Set(nodes.flatMap(node => node?.id ?? []))
      const targets = ranges.flatMap(slice => slice.entries.map(entry => entry.target))
      expect(targets.filter(target => !there.has(target))).toEqual([])
      const tested = EVERYTHING.tests.filter((_, index) => tests[index])
      expect(tested.filter(({ source, target }) => !there.has(source) || !there.has(target))).toEqual([])
      ranges.forEach((slice, index) => {
        if (!there.has(EVERYTHING.ranges[index]?.source ?? '')) expect(slice.total).toBe(0)
      })
    }
  })

  it('says what was applied, and why it broke off', async () => {
    const { prefix } = await create()
    const faults: unknown[] = []
    for (let cut = 0; ; cut++) {
      const error = await breakOff(prefix, cut)
      if (error === undefined) break
      faults.push(error)
    }
    const last = faults.at(-1)
    expect(isGraphError(last) && last.data).toMatchObject({
      reason: 'store_fault',
      applied: {
        deletedNodes: ['2', '4'],
        nodes: ['1', '5', '4', '3'],
        tokens: ['abc'],
        sources: ['1', '3'],
      },
    })
    expect(isGraphError(last) && last.cause).toMatchObject({ message: 'Connection is closed.' })
  })

  it('leaves to a node put again none of the edges of the one before', async () => {
    for (let cut = 0; ; cut++) {
      const { prefix, store } = await create()
      const broken = createRedisStore(breakAfter(server.admin, cut), { prefix })
      const done = await write(broken, [{ op: 'deleteNode', id: '2' }]).then(
        () => true,
        () => false,
      )
      if ((await read(store)).nodes[1] !== undefined) continue
      await write(store, [putNode('2')])
      const { ranges } = await read(store, {
        ...NOTHING,
        ranges: ids.map(id => rangeOf(id, 'likes')),
      })
      expect(ranges.map(slice => [slice.total, slice.entries.map(entry => entry.target)])).toEqual([
        [0, []],
        [0, []],
        [0, []],
        [1, ['4']],
        [0, []],
      ])
      if (done) break
    }
  })
})
