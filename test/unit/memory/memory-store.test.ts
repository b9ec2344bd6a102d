import { createMemoryStore, type MemoryStore } from 'kithgraph/memory'
import { describe, expect, it, vi } from 'vitest'
import { isGraphError } from '../../../src/base/errors.ts'
import type { JsonObject } from '../../../src/base/json.ts'
import type { EdgeRange, TokenRecord } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { Epochs } from '../../../src/stores/memory/paged-tables.ts'

const putNode = (id: string, fields: JsonObject = {}, type = 'user'): StoreMutation => ({
  op: 'putNode',
  node: { id, type, fields },
})
const putEdge = (source: string, target: string, time = 0, data?: JsonObject): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name: 'likes', target, time, data },
})
const EMPTY_REQUEST = { nodes: [], ranges: [], checks: [], tokens: [] }
const wholeEdge: EdgeRange = {
  source: '1',
  name: 'likes',
  direction: 'newest',
  from: undefined,
  minTime: undefined,
  maxTime: undefined,
  limit: 10,
  count: true,
}
const readNode = (store: MemoryStore, id = '1') => store.read({ ...EMPTY_REQUEST, nodes: [id] }).nodes[0]
const readRange = (store: MemoryStore, range: Partial<EdgeRange> = {}) =>
  store.read({ ...EMPTY_REQUEST, ranges: [{ ...wholeEdge, ...range }] }).ranges[0]

const createStoreWith = (...mutations: StoreMutation[]): MemoryStore => {
  const store = createMemoryStore()
  store.write(mutations)
  return store
}

/** Returns the data of the error that a batch causes. */
const captureErrorData = (store: MemoryStore, mutations: readonly StoreMutation[]): unknown => {
  try {
    store.write(mutations)
  } catch (error) {
    if (isGraphError(error)) return error.toJSON().error.error_data
    throw error
  }
  return undefined
}

describe('the records of a memory store', () => {
  it('are returned as the same frozen object each time, independent of the object that was written', () => {
    const fields = { name: 'Ada', tags: ['a', { deep: [1] }] }
    const store = createStoreWith(putNode('1', fields))
    fields.tags.push('b')
    const record = readNode(store)
    expect(record).toStrictEqual({
      id: '1',
      type: 'user',
      fields: { name: 'Ada', tags: ['a', { deep: [1] }] },
    })
    expect(readNode(store)).toBe(record)
    expect(() => Object.assign(record?.fields.tags ?? [], ['x'])).toThrow(TypeError)
    expect(Object.isFrozen(record)).toBe(true)
  })

  it('are frozen after a patch, which changes neither the earlier record nor the given patch', () => {
    const store = createStoreWith(putNode('1', { name: 'Ada', tags: ['a'], old: 1 }))
    const before = readNode(store)
    const patch = { tags: null, nested: { list: [1] } }
    store.write([{ op: 'patchNode', id: '1', fields: patch }])
    const after = readNode(store)
    expect(after?.fields).toStrictEqual({ name: 'Ada', old: 1, nested: { list: [1] } })
    expect([after, after?.fields, after?.fields.nested].every(Object.isFrozen)).toBe(true)
    expect(Object.isFrozen(patch.nested)).toBe(false)
    expect(before?.fields).toStrictEqual({ name: 'Ada', tags: ['a'], old: 1 })
  })

  it('keep a null that was put, and lose only the fields that a patch sets to null', () => {
    const store = createStoreWith(putNode('1', { a: null, b: 1 }), {
      op: 'patchNode',
      id: '1',
      fields: { b: null },
    })
    expect(readNode(store)?.fields).toStrictEqual({ a: null })
  })

  it('treat __proto__ as an ordinary field name in puts, patches, dumps and removals', () => {
    const fields = (text: string): JsonObject => JSON.parse(text)
    const store = createStoreWith(putNode('1', fields('{"a":{"__proto__":{"x":1}},"__proto__":{"y":[2]}}')))
    store.write([{ op: 'patchNode', id: '1', fields: fields('{"b":1,"__proto__":{"z":3}}') }])
    expect([...store.dump()]).toStrictEqual([
      '{"node":{"id":"1","type":"user","fields":{"a":{"__proto__":{"x":1}},"b":1,"__proto__":{"z":3}}}}\n',
    ])
    expect(Object.getPrototypeOf(readNode(store)?.fields)).toBe(Object.prototype)
    store.write([{ op: 'patchNode', id: '1', fields: fields('{"__proto__":null}') }])
    expect(Object.keys(readNode(store)?.fields ?? {})).toStrictEqual(['a', 'b'])
  })

  it('hold frozen copies of the data of edges', () => {
    const data = { since: { year: 1843 } }
    const store = createStoreWith(putNode('1'), putEdge('1', '1', 5, data))
    data.since.year = 0
    const entry = readRange(store)?.entries[0]
    expect(entry).toStrictEqual({
      target: '1',
      time: 5,
      data: { since: { year: 1843 } },
      node: readNode(store),
    })
    expect(Object.isFrozen(entry?.data?.since)).toBe(true)
    store.write([putEdge('1', '1', 5)])
    expect(readRange(store)?.entries[0]?.data).toBeUndefined()
  })

  it('include tokens, which are found by digest until they are deleted and are left out of dumps', () => {
    const token: TokenRecord = {
      viewer: '1',
      app: 'app',
      scopes: ['email'],
      issuedAt: 1,
      expiresAt: undefined,
      revokedAt: undefined,
      generation: '',
    }
    const store = createStoreWith({ op: 'putToken', digest: '__proto__', token })
    const read = () => store.read({ ...EMPTY_REQUEST, tokens: ['__proto__', 'constructor'] }).tokens
    expect(read()).toStrictEqual([token, undefined])
    expect(Object.isFrozen(read()[0]?.scopes)).toBe(true)
    expect([...store.dump()]).toStrictEqual([])
    store.write([{ op: 'deleteToken', digest: '__proto__' }])
    expect(read()).toStrictEqual([undefined, undefined])
  })
})

describe('a batch of a memory store with one invalid mutation', () => {
  const store = createStoreWith(putNode('1'), putNode('2'), putEdge('1', '2'))
  const before = [...store.dump()]
  const exists = 'the id of an existing node'

  it.each([
    [
      'a changed type',
      putNode('1', {}, 'page'),
      { path: 'node.type', expected: '"user"', received: '"page"' },
    ],
    [
      'a node with an invalid id',
      putNode('01'),
      { path: 'node.id', expected: 'a node id', received: '"01"' },
    ],
    [
      'an edge from a missing node',
      putEdge('9', '1'),
      { path: 'edge.source', expected: exists, received: '"9"' },
    ],
    [
      'an edge to a missing node',
      putEdge('1', '9'),
      { path: 'edge.target', expected: exists, received: '"9"' },
    ],
    [
      'a patch of a missing node',
      { op: 'patchNode', id: '9', fields: {} },
      { path: 'id', expected: exists, received: '"9"' },
    ],
  ] satisfies [string, StoreMutation, object][])('is rejected as a whole for %s', (_, mutation, issue) => {
    const batch = [putNode('3'), { op: 'deleteNode' as const, id: '2' }, mutation]
    expect(captureErrorData(store, batch)).toStrictEqual({
      reason: 'invalid_mutation',
      index: 2,
      ...issue,
    })
    expect([...store.dump()]).toStrictEqual(before)
  })

  it('is rejected as a whole for an edge to a node that the batch deleted', () => {
    expect(captureErrorData(store, [{ op: 'deleteNode', id: '2' }, putEdge('1', '2')])).toMatchObject({
      index: 1,
    })
    expect([...store.dump()]).toStrictEqual(before)
  })

  it('is rejected with a TypeError for an unknown op', () => {
    const batch: StoreMutation[] = JSON.parse('[{"op":"put"}]')
    expect(() => store.write(batch)).toThrow(
      new TypeError(
        'store.write: "mutations[0]" must be a mutation with an "op" such as "putNode"; received an object with op',
      ),
    )
  })
})

describe('the mutations of one batch of a memory store', () => {
  it('are applied in order, so that an edge may follow its nodes and a deleted node may get another type', () => {
    const store = createStoreWith(putNode('1'), putNode('2'), putEdge('1', '2'))
    store.write([
      { op: 'deleteNode', id: '2' },
      putNode('2', {}, 'page'),
      putNode('3'),
      putEdge('1', '3'),
      putEdge('3', '2'),
    ])
    expect(readRange(store)?.entries.map(({ target }) => target)).toStrictEqual(['3'])
    expect(readNode(store, '2')?.type).toBe('page')
  })

  it('remove the edges of a source that is deleted and put again', () => {
    const store = createStoreWith(...['1', '2', '3', '4'].map(id => putNode(id)), putEdge('1', '2'))
    store.write([
      putEdge('1', '3'),
      { op: 'deleteNode', id: '1' },
      putNode('1'),
      putEdge('2', '4'),
      putEdge('1', '4'),
    ])
    expect(readRange(store)).toMatchObject({ entries: [{ target: '4' }], total: 1 })
    expect(readRange(store, { source: '2' })).toMatchObject({ entries: [{ target: '4' }], total: 1 })
  })
})

describe('an edge in a memory store', () => {
  it('moves in its list if it is put again with another time', () => {
    const store = createStoreWith(
      ...['1', '2', '3'].map(id => putNode(id)),
      putEdge('1', '2', 1),
      putEdge('1', '3', 2),
      putEdge('1', '2', 3),
    )
    expect(readRange(store)?.entries.map(({ target, time }) => [target, time])).toStrictEqual([
      ['2', 3],
      ['3', 2],
    ])
    expect(readRange(store)?.total).toBe(2)
  })

  it('is ordered by the numeric id of its target if times are equal', () => {
    const ids = ['9', '10', '9223372036854775807', '9007199254740993', '9007199254740992']
    const store = createStoreWith(putNode('1'), ...ids.flatMap(id => [putNode(id), putEdge('1', id)]))
    expect(readRange(store, { direction: 'oldest' })?.entries.map(({ target }) => target)).toStrictEqual([
      '9',
      '10',
      '9007199254740992',
      '9007199254740993',
      '9223372036854775807',
    ])
  })
})

describe('a range of a memory store', () => {
  const store = createStoreWith(putNode('1'), putNode('2'), putEdge('1', '1', 1), putEdge('1', '2', 2))

  it('returns only the count with limit 0', () => {
    expect(readRange(store, { limit: 0 })).toStrictEqual({
      entries: [],
      hasMore: false,
      lastExamined: undefined,
      total: 2,
    })
  })

  it('counts the whole list, whatever part of it is requested', () => {
    const part = { from: { time: 2, target: '2' }, minTime: 1, maxTime: 1 }
    expect(readRange(store, part)).toMatchObject({
      hasMore: false,
      lastExamined: { time: 1, target: '1' },
      total: 2,
    })
  })

  it('sets hasMore to true only if the requested time span has more edges', () => {
    expect(readRange(store, { limit: 1 })?.hasMore).toBe(true)
    expect(readRange(store, { limit: 1, minTime: 2 })?.hasMore).toBe(false)
  })

  it.each([{ source: '3' }, { source: 'x' }, { source: '2' }, { name: 'toString' }])(
    'is empty for a list that does not exist: %j',
    range => {
      expect(readRange(store, range)).toStrictEqual({
        entries: [],
        hasMore: false,
        lastExamined: undefined,
        total: 0,
      })
      expect(readRange(store, { ...range, count: false })?.total).toBeUndefined()
    },
  )
})

describe('a memory store', () => {
  it('returns one result for each position of a request, even for duplicates', () => {
    const store = createStoreWith(putNode('1'), putEdge('1', '1'))
    const check = { source: '1', name: 'likes', target: '1' }
    const result = store.read({
      ...EMPTY_REQUEST,
      nodes: ['1', '2', '1'],
      checks: [check, { ...check, name: 'photos' }, check],
    })
    expect(result.nodes.map(node => node?.id)).toStrictEqual(['1', undefined, '1'])
    expect(result.checks).toStrictEqual([true, false, true])
  })

  it('declares its capabilities, and returns no revision, because every read sees every write', () => {
    const store = createMemoryStore()
    expect(store.capabilities).toStrictEqual({
      snapshots: true,
      durable: false,
      shared: false,
      atomicity: 'batch',
      conditionalWrites: true,
      collections: true,
      ids: ['digits', 'named'],
    })
    expect(store.write([])).toStrictEqual({ revision: undefined })
  })

  it('rejects every call after it is closed, as a snapshot does', () => {
    const store = createStoreWith(putNode('1'))
    const snapshot = store.snapshot()
    snapshot.close()
    snapshot.close()
    expect(() => snapshot.read(EMPTY_REQUEST)).toThrow(
      new TypeError('snapshot: the snapshot must be open; received a closed snapshot'),
    )
    store.close()
    for (const request of [
      () => store.read(EMPTY_REQUEST),
      () => store.write([]),
      () => store.snapshot(),
      () => store.dump(),
    ]) {
      expect(request).toThrow(
        new TypeError('memory store: the memory store must be open; received a closed memory store'),
      )
    }
  })
})

describe('a dump of a memory store', () => {
  it('holds the state at the time of the call, whatever is written before and while it is read', () => {
    const store = createStoreWith(putNode('1'), putNode('2'), putEdge('1', '2'))
    const before = [...store.dump()]
    const dump = store.dump()
    store.write([putNode('1', { name: 'Ada' }), putNode('3')])
    const lines: string[] = []
    for (const line of dump) {
      if (lines.length === 0) store.write([{ op: 'deleteNode', id: '2' }])
      lines.push(line)
    }
    expect(lines).toStrictEqual(before)
  })

  it('releases its snapshot if reading stops, even before the first line', () => {
    const store = createStoreWith(putNode('1'))
    const closeSnapshot = vi.spyOn(Epochs.prototype, 'closeSnapshot')
    for (const _ of store.dump()) break
    store.dump()[Symbol.iterator]().return?.()
    expect(closeSnapshot).toHaveBeenCalledTimes(2)
    closeSnapshot.mockRestore()
  })

  it('holds nodes, then edges, with data only if an edge has data', () => {
    const store = createStoreWith(
      putNode('2', { name: '\u0000' }),
      putNode('1'),
      putEdge('1', '2', -1),
      putEdge('2', '1', 0, { a: 1 }),
    )
    expect([...store.dump()]).toStrictEqual([
      '{"node":{"id":"2","type":"user","fields":{"name":"\\u0000"}}}\n',
      '{"node":{"id":"1","type":"user","fields":{}}}\n',
      '{"edge":{"source":"2","name":"likes","target":"1","time":0,"data":{"a":1}}}\n',
      '{"edge":{"source":"1","name":"likes","target":"2","time":-1}}\n',
    ])
  })
})
