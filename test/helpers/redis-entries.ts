import { createRedisStore, type RedisClient, type RedisStore } from 'kithgraph/redis'
import { expect } from 'vitest'
import type { CompletionFlag } from '../../src/store/contract.ts'
import { orderListOf, ROOT_ID } from '../../src/store/derived-entries.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { createRange, putEdge, putNode, withMirror } from '../../src/testing/records.ts'

const BY_RANK = { field: 'rank', factor: 1 } as const

/** Derives the entry of a node in the collection `events`, by `rank`. */
export const collect = (target: string): StoreMutation => ({
  op: 'deriveEntry',
  entry: { source: ROOT_ID, name: 'events', target, by: BY_RANK },
})

/** Derives the entry of an edge in the further order `top`, by `rank`. */
export const order = (source: string, list: string, target: string): StoreMutation => ({
  op: 'deriveEntry',
  entry: { source, name: orderListOf(list, 'top'), target, by: BY_RANK },
})

/** Puts a node with a rank, and derives its entry. */
export const putEvent = (id: string, rank: number): readonly StoreMutation[] => [
  putNode(id, { rank }),
  collect(id),
]

export const deleteNode = (id: string): StoreMutation => ({ op: 'deleteNode', id })

/** Puts a mirrored edge with a rank, and derives its entries on both sides. */
export const putFriends = (source: string, target: string, rank: number): readonly StoreMutation[] => [
  withMirror(putEdge(source, 'friends', target, 1, { rank }), 'friends'),
  order(source, 'friends', target),
  order(target, 'friends', source),
]

/** Puts an edge with a rank, and derives its entry. */
export const putLike = (source: string, target: string, rank: number): readonly StoreMutation[] => [
  putEdge(source, 'likes', target, 1, { rank }),
  order(source, 'likes', target),
]

type Position = readonly [rank: unknown, target: string]

const sortPositions = (positions: readonly Position[]): readonly Position[] =>
  positions.toSorted(([a, id], [b, otherId]) => Number(a) - Number(b) || Number(id) - Number(otherId))

/** Creates a completion flag. */
export const createFlag = (name: string): CompletionFlag => ({ name, value: 'rank' })

/** A store whose collection and orders are compared with its nodes and edges. */
export class EntryStore {
  readonly store: RedisStore
  readonly #prefix: string
  readonly #ids: readonly string[]

  constructor(client: RedisClient, prefix: string, ids: readonly string[] = ['1', '2', '3']) {
    this.store = createRedisStore(client, { prefix })
    this.#prefix = prefix
    this.#ids = ids
  }

  async write(...mutations: readonly StoreMutation[]): Promise<void> {
    await this.store.write(mutations, { signal: undefined })
  }

  /** Creates a store with the same records over another client, like another process. */
  over(client: RedisClient): RedisStore {
    return createRedisStore(client, { prefix: this.#prefix })
  }

  async readNodes() {
    return (await this.store.read({ ...EMPTY_REQUEST, nodes: this.#ids }, UNTIMED_OPTIONS)).nodes
  }

  /** Whether the collection contains a node, as its list and a check say. */
  async hasEvent(target: string): Promise<boolean> {
    const checks = [{ source: ROOT_ID, name: 'events', target }]
    const request = { ...EMPTY_REQUEST, ranges: [createRange(ROOT_ID, 'events')], checks }
    const { ranges, checks: results } = await this.store.read(request, UNTIMED_OPTIONS)
    const isListed = ranges[0]?.entries.some(entry => entry.target === target) ?? false
    expect(results).toEqual([isListed])
    return isListed
  }

  /** Returns whether each flag has its usual value. */
  async readFlags(...names: readonly string[]) {
    const flags = names.map(name => createFlag(name))
    return (await this.store.read({ ...EMPTY_REQUEST, flags }, UNTIMED_OPTIONS)).flags
  }

  /** Writes over another client, like another process. */
  async writeOver(client: RedisClient, ...mutations: readonly StoreMutation[]): Promise<void> {
    const other = this.over(client)
    await other.open()
    await other.write(mutations, { signal: undefined })
  }

  /** Asserts that no entry contradicts its node or edge. Some entries may be missing. */
  async assertTrue(): Promise<void> {
    for (const { found, expected } of await this.#read())
      for (const position of found) expect(expected).toContainEqual(position)
  }

  /** Asserts that the collection has the nodes, the orders have the edges, and the counts are right. */
  async assertComplete(): Promise<void> {
    for (const { found, expected, total } of await this.#read())
      expect({ found, total }).toEqual({ found: expected, total: expected.length })
  }

  /** Reads the positions of each list of entries, and those that its records give. */
  async #read() {
    const lists = this.#ids.flatMap(source => ['likes', 'friends'].map(name => ({ source, name })))
    const ranges = [
      createRange(ROOT_ID, 'events'),
      ...lists.flatMap(({ source, name }) => [
        createRange(source, name),
        createRange(source, orderListOf(name, 'top')),
      ]),
    ]
    const request = { ...EMPTY_REQUEST, nodes: this.#ids, ranges }
    const { nodes, ranges: results } = await this.store.read(request, UNTIMED_OPTIONS)
    const [collection, ...edgeResults] = results
    const ranks = nodes.flatMap(node =>
      node?.fields.rank === undefined ? [] : [[node.fields.rank, node.id] as const],
    )
    const pairs = [{ entries: collection, records: ranks }]
    for (let at = 0; at < edgeResults.length; at += 2) {
      const records = edgeResults[at]?.entries.map(
        ({ data, target }) => [data?.rank ?? null, target] as const,
      )
      pairs.push({ entries: edgeResults[at + 1], records: records ?? [] })
    }
    return pairs.map(({ entries, records }) => ({
      found: entries?.entries.map(({ time, target }): Position => [time, target]) ?? [],
      expected: sortPositions(records),
      total: entries?.total,
    }))
  }
}
