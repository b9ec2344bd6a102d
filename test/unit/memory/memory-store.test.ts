import { createMemoryStore, type MemoryStore } from 'kithgraph/memory'
import { describe, expect, it, vi } from 'vitest'
import { isGraphError } from '../../../src/base/faults.ts'
import type { JsonObject } from '../../../src/base/json.ts'
import type { EdgeRange, Mutation, TokenRecord } from '../../../src/store/contract.ts'
import { Epochs } from '../../../src/stores/memory/epochs.ts'

const putNode = (id: string, fields: JsonObject = {}, type = 'user'): Mutation => ({
  op: 'putNode',
  node: { id, type, fields },
})
const putEdge = (source: string, target: string, time = 0, data?: JsonObject): Mutation => ({
  op: 'putEdge',
  edge: { source, name: 'likes', target, time, data },
})
const nothing = { nodes: [], ranges: [], tests: [], tokens: [] }
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
const nodeOf = (store: MemoryStore, id = '1') => store.read({ ...nothing, nodes: [id] }).nodes[0]
const sliceOf = (store: MemoryStore, range: Partial<EdgeRange> = {}) =>
  store.read({ ...nothing, ranges: [{ ...wholeEdge, ...range }] }).ranges[0]

const storeOf = (...mutations: Mutation[]): MemoryStore => {
  const store = createMemoryStore()
  store.write(mutations)
  return store
}

/** The particulars of the fault that a batch is refused with. */
const refusalOf = (store: MemoryStore, mutations: readonly Mutation[]): unknown => {
  try {
    store.write(mutations)
  } catch (error) {
    if (isGraphError(error)) return error.data
    throw error
  }
  return undefined
}

describe('records', () => {
  it('are answered as the same frozen object each time, and the one handed in stays the caller’s', () => {
    const fields = { name: 'Ada', tags: ['a', { deep: [1] }] }
    const store = storeOf(putNode('1', fields))
    fields.tags.push('b')
    const record = nodeOf(store)
    expect(record).toStrictEqual({
      id: '1',
      type: 'user',
      fields: { name: 'Ada', tags: ['a', { deep: [1] }] },
    })
    expect(nodeOf(store)).toBe(record)
    expect(() => Object.assign(record?.fields.tags ?? [], ['x'])).toThrow(TypeError)
    expect(Object.isFrozen(record)).toBe(true)
  })

  it('are frozen after a patch too, which shares what it leaves alone', () => {
    const store = storeOf(putNode('1', { name: 'Ada', tags: ['a'], old: 1 }))
    const before = nodeOf(store)
    const patch = { tags: null, nested: { list: [1] } }
    store.write([{ op: 'patchNode', id: '1', fields: patch }])
    const after = nodeOf(store)
    expect(after?.fields).toStrictEqual({ name: 'Ada', old: 1, nested: { list: [1] } })
    expect([after, after?.fields, after?.fields.nested].every(Object.isFrozen)).toBe(true)
    expect(Object.isFrozen(patch.nested)).toBe(false)
    expect(before?.fields).toStrictEqual({ name: 'Ada', tags: ['a'], old: 1 })
  })

  it('keep a null that was put, and lose only what a patch names', () => {
    const store = storeOf(putNode('1', { a: null, b: 1 }), { op: 'patchNode', id: '1', fields: { b: null } })
    expect(nodeOf(store)?.fields).toStrictEqual({ a: null })
  })

  it('keep a field called __proto__ as a field, put, patched, dumped and removed', () => {
    const fields = (text: string): JsonObject => JSON.parse(text)
    const store = storeOf(putNode('1', fields('{"a":{"__proto__":{"x":1}},"__proto__":{"y":[2]}}')))
    store.write([{ op: 'patchNode', id: '1', fields: fields('{"b":1,"__proto__":{"z":3}}') }])
    expect([...store.dump()]).toStrictEqual([
      '{"node":{"id":"1","type":"user","fields":{"a":{"__proto__":{"x":1}},"b":1,"__proto__":{"z":3}}}}\n',
    ])
    expect(Object.getPrototypeOf(nodeOf(store)?.fields)).toBe(Object.prototype)
    store.write([{ op: 'patchNode', id: '1', fields: fields('{"__proto__":null}') }])
    expect(Object.keys(nodeOf(store)?.fields ?? {})).toStrictEqual(['a', 'b'])
  })

  it('of edges carry frozen copies of their data', () => {
    const data = { since: { year: 1843 } }
    const store = storeOf(putNode('1'), putEdge('1', '1', 5, data))
    data.since.year = 0
    const entry = sliceOf(store)?.entries[0]
    expect(entry).toStrictEqual({
      target: '1',
      time: 5,
      data: { since: { year: 1843 } },
      node: nodeOf(store),
    })
    expect(Object.isFrozen(entry?.data?.since)).toBe(true)
    store.write([putEdge('1', '1', 5)])
    expect(sliceOf(store)?.entries[0]?.data).toBeUndefined()
  })

  it('of tokens are found by digest until deleted, and are not dumped', () => {
    const token: TokenRecord = {
      viewer: '1',
      app: 'app',
      scopes: ['email'],
      issuedAt: 1,
      expiresAt: undefined,
      revokedAt: undefined,
      generation: '',
    }
    const store = storeOf({ op: 'putToken', digest: '__proto__', token })
    const read = () => store.read({ ...nothing, tokens: ['__proto__', 'constructor'] }).tokens
    expect(read()).toStrictEqual([token, undefined])
    expect(Object.isFrozen(read()[0]?.scopes)).toBe(true)
    expect([...store.dump()]).toStrictEqual([])
    store.write([{ op: 'deleteToken', digest: '__proto__' }])
    expect(read()).toStrictEqual([undefined, undefined])
  })
})

describe('a batch is refused as a whole', () => {
  const store = storeOf(putNode('1'), putNode('2'), putEdge('1', '2'))
  const before = [...store.dump()]
  const exists = 'the id of a node that exists'

  it.each([
    ['a changed type', putNode('1', {}, 'page'), { path: 'node.type', expected: '"user"', came: '"page"' }],
    ['a node without a good id', putNode('01'), { path: 'node.id', expected: 'a node id', came: '"01"' }],
    ['an edge from nowhere', putEdge('9', '1'), { path: 'edge.source', expected: exists, came: '"9"' }],
    ['an edge to nowhere', putEdge('1', '9'), { path: 'edge.target', expected: exists, came: '"9"' }],
    [
      'a patch of nothing',
      { op: 'patchNode', id: '9', fields: {} },
      { path: 'id', expected: exists, came: '"9"' },
    ],
  ] satisfies [string, Mutation, object][])('for %s', (_, mutation, particulars) => {
    const batch = [putNode('3'), { op: 'deleteNode' as const, id: '2' }, mutation]
    expect(refusalOf(store, batch)).toStrictEqual({ reason: 'invalid_mutation', index: 2, ...particulars })
    expect([...store.dump()]).toStrictEqual(before)
  })

  it('for an end that the batch itself deleted', () => {
    expect(refusalOf(store, [{ op: 'deleteNode', id: '2' }, putEdge('1', '2')])).toMatchObject({ index: 1 })
    expect([...store.dump()]).toStrictEqual(before)
  })

  it('for an op that there is not, as a misuse', () => {
    const batch: Mutation[] = JSON.parse('[{"op":"put"}]')
    expect(() => store.write(batch)).toThrow(
      new TypeError('mutation 0: expected an op such as "putNode", came an object with op'),
    )
  })
})

describe('a batch sees what is before it in the batch', () => {
  it('so that an edge may follow its ends, and a node come back with another type', () => {
    const store = storeOf(putNode('1'), putNode('2'), putEdge('1', '2'))
    store.write([
      { op: 'deleteNode', id: '2' },
      putNode('2', {}, 'page'),
      putNode('3'),
      putEdge('1', '3'),
      putEdge('3', '2'),
    ])
    expect(sliceOf(store)?.entries.map(({ target }) => target)).toStrictEqual(['3'])
    expect(nodeOf(store, '2')?.type).toBe('page')
  })

  it('so that a source that goes and comes back has the edges of before no more', () => {
    const store = storeOf(...['1', '2', '3', '4'].map(id => putNode(id)), putEdge('1', '2'))
    store.write([
      putEdge('1', '3'),
      { op: 'deleteNode', id: '1' },
      putNode('1'),
      putEdge('2', '4'),
      putEdge('1', '4'),
    ])
    expect(sliceOf(store)).toMatchObject({ entries: [{ target: '4' }], total: 1 })
    expect(sliceOf(store, { source: '2' })).toMatchObject({ entries: [{ target: '4' }], total: 1 })
  })
})

describe('an edge', () => {
  it('moves where it is put again with another time', () => {
    const store = storeOf(
      ...['1', '2', '3'].map(id => putNode(id)),
      putEdge('1', '2', 1),
      putEdge('1', '3', 2),
      putEdge('1', '2', 3),
    )
    expect(sliceOf(store)?.entries.map(({ target, time }) => [target, time])).toStrictEqual([
      ['2', 3],
      ['3', 2],
    ])
    expect(sliceOf(store)?.total).toBe(2)
  })

  it('is ordered by the number of its target where times are equal', () => {
    const ids = ['9', '10', '9223372036854775807', '9007199254740993', '9007199254740992']
    const store = storeOf(putNode('1'), ...ids.flatMap(id => [putNode(id), putEdge('1', id)]))
    expect(sliceOf(store, { direction: 'oldest' })?.entries.map(({ target }) => target)).toStrictEqual([
      '9',
      '10',
      '9007199254740992',
      '9007199254740993',
      '9223372036854775807',
    ])
  })
})

describe('a range', () => {
  const store = storeOf(putNode('1'), putNode('2'), putEdge('1', '1', 1), putEdge('1', '2', 2))

  it('with limit 0 asks for the count alone', () => {
    expect(sliceOf(store, { limit: 0 })).toStrictEqual({ entries: [], more: false, end: undefined, total: 2 })
  })

  it('counts the whole edge, whatever part of it is asked for', () => {
    const part = { from: { time: 2, target: '2' }, minTime: 1, maxTime: 1 }
    expect(sliceOf(store, part)).toMatchObject({ more: false, end: { time: 1, target: '1' }, total: 2 })
  })

  it('says whether more follows within the times asked for', () => {
    expect(sliceOf(store, { limit: 1 })?.more).toBe(true)
    expect(sliceOf(store, { limit: 1, minTime: 2 })?.more).toBe(false)
  })

  it.each([{ source: '3' }, { source: 'x' }, { source: '2' }, { name: 'toString' }])(
    'of nothing is empty: %j',
    range => {
      expect(sliceOf(store, range)).toStrictEqual({ entries: [], more: false, end: undefined, total: 0 })
      expect(sliceOf(store, { ...range, count: false })?.total).toBeUndefined()
    },
  )
})

describe('a store', () => {
  it('answers a wave by position, duplicates in each place', () => {
    const store = storeOf(putNode('1'), putEdge('1', '1'))
    const test = { source: '1', name: 'likes', target: '1' }
    const answer = store.read({
      ...nothing,
      nodes: ['1', '2', '1'],
      tests: [test, { ...test, name: 'photos' }, test],
    })
    expect(answer.nodes.map(node => node?.id)).toStrictEqual(['1', undefined, '1'])
    expect(answer.tests).toStrictEqual([true, false, true])
  })

  it('says what it can do, and answers no version, since every read sees every write', () => {
    const store = createMemoryStore()
    expect(store.capabilities).toStrictEqual({
      snapshots: true,
      durable: false,
      shared: false,
      atomicity: 'batch',
    })
    expect(store.write([])).toStrictEqual({ version: undefined })
  })

  it('refuses everything once closed, as a snapshot does', () => {
    const store = storeOf(putNode('1'))
    const snapshot = store.snapshot()
    snapshot.close()
    snapshot.close()
    expect(() => snapshot.read(nothing)).toThrow(
      new TypeError('expected an open snapshot, came a closed one'),
    )
    store.close()
    for (const ask of [
      () => store.read(nothing),
      () => store.write([]),
      () => store.snapshot(),
      () => store.dump(),
    ]) {
      expect(ask).toThrow(new TypeError('expected an open memory store, came a closed one'))
    }
  })
})

describe('a dump', () => {
  it('is of the moment when it was called, whatever is written before it is read and while it is', () => {
    const store = storeOf(putNode('1'), putNode('2'), putEdge('1', '2'))
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

  it('lets go of its moment where reading is broken off, be it before the first line', () => {
    const store = storeOf(putNode('1'))
    const letGo = vi.spyOn(Epochs.prototype, 'close')
    for (const _ of store.dump()) break
    store.dump()[Symbol.iterator]().return?.()
    expect(letGo).toHaveBeenCalledTimes(2)
    letGo.mockRestore()
  })

  it('is nodes, then edges, with data only where there is some', () => {
    const store = storeOf(
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
