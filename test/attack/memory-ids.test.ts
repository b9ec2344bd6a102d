import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { IdHasher } from '../../src/stores/memory/id-index.ts'

const COUNT = 40_000
const NINE_DIGITS = 1e9

/** An id of up to 18 digits as the index stores it: two halves of nine digits. */
type Halves = readonly [low: number, high: number]

const createId = ([low, high]: Halves): string => `${BigInt(high) * BigInt(NINE_DIGITS) + BigInt(low)}`

/**
 * Creates ids that have the same hash under fixed multipliers, which an attacker could read in the source.
 */
const createCollidingIds = (): Halves[] => {
  const [first, second] = [0x9e3779b1, 0x85ebca6b]
  // The product of a number and its inverse is 1 modulo 2^32. Each round doubles the number of correct bits.
  let inverse = second
  for (let round = 0; round < 5; round++) inverse = Math.imul(inverse, 2 - Math.imul(second, inverse))
  const ids: Halves[] = []
  for (let high = 1; ids.length < COUNT; high++) {
    const low = (Math.imul(0x12345678, inverse) ^ Math.imul(high, first)) >>> 0
    if (low < NINE_DIGITS) ids.push([low, high])
  }
  return ids
}

/**
 * Creates ids whose halves are multiples of 2^21. In a product with an odd number, the lower 21 bits stay
 * zero.
 */
const createMultiples = (): Halves[] => {
  const count = Math.floor(NINE_DIGITS / 2 ** 21)
  return Array.from({ length: COUNT }, (_, index) => [
    (index % count) * 2 ** 21,
    (1 + Math.floor(index / count)) * 2 ** 21,
  ])
}

const createRandomIds = (): Halves[] =>
  Array.from({ length: COUNT }, () => [
    Math.floor(Math.random() * NINE_DIGITS),
    1 + Math.floor(Math.random() * (NINE_DIGITS - 1)),
  ])

/** Returns the number of ids in the largest of 65,536 buckets. */
const countLargestBucket = (ids: readonly Halves[], hash: IdHasher): number => {
  const buckets = new Uint16Array(65_536)
  for (const [low, high] of ids) {
    const bucket = hash.hash(low, high) & 0xffff
    buckets[bucket] = (buckets[bucket] ?? 0) + 1
  }
  return Math.max(...buckets)
}

describe('the hashes of ids in a memory store', () => {
  it.each([
    ['that share one hash with fixed multipliers', createCollidingIds()],
    ['that are multiples of a power of two', createMultiples()],
    ['that follow one another', Array.from({ length: COUNT }, (_, low): Halves => [low, 7])],
    ['at random', createRandomIds()],
  ])('have no large group of collisions in any store: ids %s', (_, ids) => {
    expect(new Set(ids.map(createId)).size).toBe(COUNT)
    // For 40,000 random ids, the largest bucket has 7 or 8 ids.
    for (let store = 0; store < 20; store++)
      expect(countLargestBucket(ids, new IdHasher())).toBeLessThanOrEqual(16)
  })

  it('have no large group of collisions for ids that collide in another store', () => {
    const other = new IdHasher()
    const ids: Halves[] = []
    const chosen = 2000
    for (let low = 0; ids.length < chosen; low++) if ((other.hash(low, 5) & 0xfff) === 0) ids.push([low, 5])
    // In the other store, all ids are in 16 of the 65,536 buckets.
    expect(countLargestBucket(ids, other)).toBeGreaterThan(chosen / 20)
    for (let store = 0; store < 20; store++)
      expect(countLargestBucket(ids, new IdHasher())).toBeLessThanOrEqual(10)
  })

  it('keep writes fast for ids that would collide with fixed multipliers', () => {
    const write = (ids: readonly Halves[]): number => {
      const store = createMemoryStore()
      const started = performance.now()
      store.write(ids.map(id => ({ op: 'putNode', node: { id: createId(id), type: 'user', fields: {} } })))
      return performance.now() - started
    }
    const best = (ids: readonly Halves[]): number => Math.min(...[1, 2, 3, 4, 5].map(() => write(ids)))
    const [chosen, others] = [createCollidingIds(), createRandomIds()]
    write(others)
    expect(best(chosen) / best(others)).toBeLessThan(3)
  })
})
