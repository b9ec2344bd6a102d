import fc from 'fast-check'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { EdgeRange, Mutation, NodeRecord } from '../../../src/store/contract.ts'
import { LONGEST_CHAIN } from '../../../src/stores/memory/list-size.ts'
import { PlainStore } from './plain-store.ts'

const SIZE = 2 * LONGEST_CHAIN
const ids = Array.from({ length: SIZE }, (_, index) => `${index + 1}`)
const putNode = (id: string): Mutation => ({ op: 'putNode', node: { id, type: 'user', fields: {} } })
const putEdge = (source: string, target: string, time: number): Mutation => ({
  op: 'putEdge',
  edge: { source, name: 'likes', target, time },
})

const anyTime = fc.nat({ max: 9 })
const anyId = fc.constantFrom(...ids)
const anyHub = fc.constantFrom('1', '2', '3')

/** Edges from hubs, to hubs and between them; now and then a node goes, with all that leads to it. */
const anyMutation: fc.Arbitrary<Mutation> = fc.oneof(
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

/** Lists from and to each hub, a few edges short of where chains end or as many past it. */
const start = (length: number): Mutation[] => [
  ...ids.map(putNode),
  ...ids
    .slice(0, length)
    .flatMap(id => [putEdge('1', id, 0), putEdge(id, '2', Number(id) % 10), putEdge(id, '1', 1)]),
]

const everything = (plain: PlainStore) => ({
  nodes: ids,
  tests: ids.flatMap(source => ids.map(target => ({ source, name: 'likes', target }))),
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

describe('lists about as long as chains may be', () => {
  it('are answered alike as chains and as blocks, from both ends, in a store and its snapshots', () => {
    const anyMutations = fc.array(anyMutation, { maxLength: 120, size: 'max' })
    const anyLength = fc.integer({ min: LONGEST_CHAIN - 3, max: LONGEST_CHAIN + 3 })
    fc.assert(
      fc.property(anyLength, fc.array(anyMutations, { maxLength: 3 }), (length, batches) => {
        const store = createMemoryStore()
        const plain = new PlainStore()
        store.write(plain.applyGood(start(length)))
        for (const batch of batches) {
          const before = new PlainStore(plain)
          const snapshot = store.snapshot()
          store.write(plain.applyGood(batch))
          expect(store.read(everything(plain))).toStrictEqual(plain.read(everything(plain)))
          expect(snapshot.read(everything(before))).toStrictEqual(before.read(everything(before)))
          snapshot.close()
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('a list of many blocks', () => {
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
      tests: [],
      tokens: [],
    }).ranges[0]

  it('is walked page by page without losing or doubling an edge', () => {
    const seen: number[] = []
    let slice = page(undefined, 99)
    while (slice !== undefined && slice.entries.length > 0) {
      seen.push(...slice.entries.map(({ time }) => time))
      slice = slice.more ? page(slice.end, 99) : undefined
    }
    expect(seen).toStrictEqual(Array.from({ length: COUNT }, (_, index) => COUNT - 1 - index))
  })

  it('loses its edges with their targets, and the targets theirs with it', () => {
    store.write(nodes.slice(100).map(({ id }) => ({ op: 'deleteNode', id })))
    expect(page(undefined, 0)?.total).toBe(100)
    store.write([
      { op: 'deleteNode', id: '2' },
      { op: 'deleteNode', id: '1' },
    ])
    expect([...store.dump()].filter(line => line.startsWith('{"edge"'))).toStrictEqual([])
  })
})
