import fc from 'fast-check'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { EdgeRange, NodeRecord } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { MAX_CHAIN_LENGTH } from '../../../src/stores/memory/edge-list-layout.ts'
import { PlainStore } from './plain-store.ts'

const SIZE = 2 * MAX_CHAIN_LENGTH
const ids = Array.from({ length: SIZE }, (_, index) => `${index + 1}`)
const putNode = (id: string): StoreMutation => ({ op: 'putNode', node: { id, type: 'user', fields: {} } })
const putEdge = (source: string, target: string, time: number): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name: 'likes', target, time },
})

const anyTime = fc.nat({ max: 9 })
const anyId = fc.constantFrom(...ids)
const anyHub = fc.constantFrom('1', '2', '3')

/** Mutations of edges from hubs, to hubs and between hubs, and sometimes the deletion of a node. */
const anyMutation: fc.Arbitrary<StoreMutation> = fc.oneof(
  { weight: 20, arbitrary: fc.tuple(anyHub, anyId, anyTime).map(args => putEdge(...args)) },
  { weight: 20, arbitrary: fc.tuple(anyId, anyHub, anyTime).map(args => putEdge(...args)) },
  {
    weight: 20,
    arbitrary: fc
      .tuple(anyHub, anyId, fc.boolean())
      .map(([hub, id, isOut]) => (isOut ? { source: hub, target: id } : { source: id, target: hub }))
      .map(ends => ({ op: 'deleteEdge' as const, edge: { ...ends, name: 'likes' } })),
  },
  { weight: 1, arbitrary: anyId.map(id => ({ op: 'deleteNode' as const, id })) },
)

/** Creates lists from and to each hub. `length` is slightly below or above the maximum length of a chain. */
const createHub = (length: number): StoreMutation[] => [
  ...ids.map(putNode),
  ...ids
    .slice(0, length)
    .flatMap(id => [putEdge('1', id, 0), putEdge(id, '2', Number(id) % 10), putEdge(id, '1', 1)]),
]

const createFullRequest = (plain: PlainStore) => ({
  nodes: ids,
  checks: ids.flatMap(source => ids.map(target => ({ source, name: 'likes', target }))),
  ranges: [...plain.nodes.keys()].flatMap(source =>
    (['newest', 'oldest'] as const).flatMap(direction =>
      [SIZE, 3].map(
        (limit): EdgeRange => ({
          source,
          name: 'likes',
          direction,
          from: { time: 5, target: '17' },
          minTime: limit === 3 ? 2 : undefined,
          maxTime: limit === 3 ? 7 : undefined,
          limit,
          count: true,
        }),
      ),
    ),
  ),
  tokens: [],
})

describe('edge lists in memory near the length at which a chain becomes blocks', () => {
  it('are read as from a plain reference store, in both directions, also in snapshots', () => {
    const anyMutations = fc.array(anyMutation, { maxLength: 120, size: 'max' })
    const anyLength = fc.integer({ min: MAX_CHAIN_LENGTH - 3, max: MAX_CHAIN_LENGTH + 3 })
    fc.assert(
      fc.property(anyLength, fc.array(anyMutations, { maxLength: 3 }), (length, batches) => {
        const store = createMemoryStore()
        const plain = new PlainStore()
        store.write(plain.applyValid(createHub(length)))
        for (const batch of batches) {
          const before = new PlainStore(plain)
          const snapshot = store.snapshot()
          store.write(plain.applyValid(batch))
          expect(store.read(createFullRequest(plain))).toStrictEqual(plain.read(createFullRequest(plain)))
          expect(snapshot.read(createFullRequest(before))).toStrictEqual(
            before.read(createFullRequest(before)),
          )
          snapshot.close()
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('an edge list of 10,000 edges in memory', () => {
  const COUNT = 10_000
  const nodes = Array.from(
    { length: COUNT },
    (_, index): NodeRecord => ({ id: `${index + 1}`, type: 'user', fields: {} }),
  )
  const store = createMemoryStore()
  store.write(nodes.map(node => ({ op: 'putNode', node })))
  store.write(nodes.map(({ id }) => putEdge('1', id, (Number(id) * 7919) % COUNT)))
  store.write(nodes.slice(1).map(({ id }) => putEdge(id, '2', 0)))

  const page = (from: EdgeRange['from'], limit: number) =>
    store.read({
      nodes: [],
      ranges: [
        {
          source: '1',
          name: 'likes',
          direction: 'newest',
          from,
          minTime: undefined,
          maxTime: undefined,
          limit,
          count: true,
        },
      ],
      checks: [],
      tokens: [],
    }).ranges[0]

  it('is read page by page without a lost or duplicate edge', () => {
    const seen: number[] = []
    let rangeResult = page(undefined, 99)
    while (rangeResult !== undefined && rangeResult.entries.length > 0) {
      seen.push(...rangeResult.entries.map(({ time }) => time))
      rangeResult = rangeResult.hasMore ? page(rangeResult.lastExamined, 99) : undefined
    }
    expect(seen).toStrictEqual(Array.from({ length: COUNT }, (_, index) => COUNT - 1 - index))
  })

  it('loses an edge when its target is deleted, and all edges when its source is deleted', () => {
    store.write(nodes.slice(100).map(({ id }) => ({ op: 'deleteNode', id })))
    expect(page(undefined, 0)?.total).toBe(100)
    store.write([
      { op: 'deleteNode', id: '2' },
      { op: 'deleteNode', id: '1' },
    ])
    expect([...store.dump()].filter(line => line.startsWith('{"edge"'))).toStrictEqual([])
  })
})
