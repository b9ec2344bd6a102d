import { createRedisStore } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGraphError } from '../../../src/base/errors.ts'
import type { Store, StoreReadRequest } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import {
  createNode,
  createRange,
  createToken,
  deleteEdge,
  putEdge,
  putNode,
  putNodes,
} from '../../../src/testing/records.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { breakAfter } from '../../helpers/redis-clients.ts'

const NO_OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }

const EXISTING = [
  ...putNodes('1', '2', '3', '4'),
  putEdge('1', 'likes', '2', 1),
  putEdge('2', 'likes', '3', 2, { note: 'old' }),
  putEdge('3', 'likes', '2', 3),
  putEdge('4', 'likes', '4', 4),
]

/** Mutations of every kind except `deleteToken`. */
const BATCH: readonly StoreMutation[] = [
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
  { op: 'putToken', digest: 'abc', token: createToken('demo') },
]

const ids = ['1', '2', '3', '4', '5']
const EVERYTHING: StoreReadRequest = {
  nodes: ids,
  ranges: ids.flatMap(id => [createRange(id, 'likes'), createRange(id, 'knows')]),
  checks: ids.flatMap(source => ids.map(target => ({ source, name: 'likes', target }))),
  tokens: ['abc'],
}

const read = (store: Store, request: StoreReadRequest = EVERYTHING) => store.read(request, NO_OPTIONS)
const write = async (store: Store, mutations: readonly StoreMutation[]) =>
  store.write(mutations, { signal: undefined })

describe.skipIf(!hasRedisServer('writes to Redis that break off'))(
  'a Redis write that is interrupted',
  () => {
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
      await write(store, EXISTING)
      return { prefix, store }
    }

    /** Writes a batch over a connection that breaks after some commands, and returns the error of the write. */
    const breakConnectionAfter = async (
      prefix: string,
      commands: number,
      batch = BATCH,
    ): Promise<unknown> => {
      const store = createRedisStore(breakAfter(server.admin, commands), { prefix })
      return write(store, batch).then(
        () => undefined,
        (error: unknown) => error,
      )
    }

    it('is completed if the same batch is written again, whichever command was the last', async () => {
      const whole = await create()
      await write(whole.store, BATCH)
      const expected = await read(whole.store)
      let cut = 0
      for (; ; cut++) {
        const { prefix, store } = await create()
        const error = await breakConnectionAfter(prefix, cut)
        if (error === undefined) break
        await write(store, BATCH)
        expect(await read(store), `cut behind ${cut} commands`).toEqual(expected)
      }
      expect(cut).toBeGreaterThan(20)
    })

    it.each([
      ['leads an edge to', putEdge('1', 'likes', '2')],
      ['patches', { op: 'patchNode', id: '2', fields: { name: 'Grace' } } as const],
    ])('can be completed even if it %s a node that it then deletes and puts again', async (_, first) => {
      const batch = [first, { op: 'deleteNode', id: '2' } as const, putNode('2', { name: 'Ada' }, 'other')]
      for (let cut = 0; ; cut++) {
        const { prefix, store } = await create()
        if ((await breakConnectionAfter(prefix, cut, batch)) === undefined) break
        await write(store, batch)
        const { nodes, ranges } = await read(store)
        expect(nodes[1], `cut behind ${cut} commands`).toEqual(createNode('2', { name: 'Ada' }, 'other'))
        expect(ranges.flatMap(({ entries }) => entries.filter(({ target }) => target === '2'))).toEqual([])
      }
    })

    it('shows no edge without its nodes before it is completed', async () => {
      for (let cut = 0; ; cut++) {
        const { prefix, store } = await create()
        if ((await breakConnectionAfter(prefix, cut)) === undefined) break
        const { nodes, ranges, checks } = await read(store)
        const there = new Set(nodes.flatMap(node => node?.id ?? []))
        const targets = ranges.flatMap(rangeResult => rangeResult.entries.map(entry => entry.target))
        expect(targets.filter(target => !there.has(target))).toEqual([])
        const tested = EVERYTHING.checks.filter((_, index) => checks[index])
        expect(tested.filter(({ source, target }) => !there.has(source) || !there.has(target))).toEqual([])
        ranges.forEach((rangeResult, index) => {
          if (!there.has(EVERYTHING.ranges[index]?.source ?? '')) expect(rangeResult.total).toBe(0)
        })
      }
    })

    it('reports how much was applied and why it was interrupted', async () => {
      const errors: unknown[] = []
      for (let cut = 0; ; cut++) {
        const { prefix } = await create()
        const error = await breakConnectionAfter(prefix, cut)
        if (error === undefined) break
        errors.push(error)
      }
      const last = errors.at(-1)
      expect(isGraphError(last) && last.toJSON().error.error_data).toMatchObject({
        reason: 'store_error',
        applied: {
          deletedNodes: ['2', '4'],
          nodes: ['4', '1', '5', '3'],
          tokens: ['abc'],
          sources: ['1', '3'],
        },
      })
      expect(isGraphError(last) && last.cause).toMatchObject({ message: 'Connection is closed.' })
    })

    it('leaves no old edge to a node that it deleted and that is put again', async () => {
      for (let cut = 0; ; cut++) {
        const { prefix, store } = await create()
        const broken = createRedisStore(breakAfter(server.admin, cut), { prefix })
        const done = await write(broken, [{ op: 'deleteNode', id: '2' }]).then(
          () => true,
          () => false,
        )
        if ((await read(store)).nodes[1] !== undefined) continue
        await write(store, [putNode('2')])
        const request = { ...EMPTY_REQUEST, ranges: ids.map(id => createRange(id, 'likes')) }
        const targetsOf = async () =>
          (await read(store, request)).ranges.map(({ entries }) => entries.map(entry => entry.target))
        expect(await targetsOf(), `cut behind ${cut} commands`).toEqual([[], [], [], ['4'], []])
        // A node is put without waiting until the edges of its deleted predecessor are purged.
        await store.recover()
        const { ranges } = await read(store, request)
        expect(
          ranges.map(rangeResult => [rangeResult.total, rangeResult.entries.map(entry => entry.target)]),
        ).toEqual([
          [0, []],
          [0, []],
          [0, []],
          [1, ['4']],
          [0, []],
        ])
        if (done) break
      }
    })
  },
)
