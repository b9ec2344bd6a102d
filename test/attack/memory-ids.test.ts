import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { IdHash } from '../../src/stores/memory/id-hash.ts'

const COUNT = 40_000
const NINE_DIGITS = 1e9

/** An id of up to 18 digits, as the index reads it: nine digits in each half. */
type Halves = readonly [low: number, high: number]

const idOf = ([low, high]: Halves): string => `${BigInt(high) * BigInt(NINE_DIGITS) + BigInt(low)}`

/** Ids that all have one hash with the multipliers that the index once had, which anybody could read. */
const collidingOnce = (): Halves[] => {
  const [first, second] = [0x9e3779b1, 0x85ebca6b]
  // The product of a number and its inverse is 1 modulo 2^32; each round doubles the bits that are right.
  let inverse = second
  for (let round = 0; round < 5; round++) inverse = Math.imul(inverse, 2 - Math.imul(second, inverse))
  const ids: Halves[] = []
  for (let high = 1; ids.length < COUNT; high++) {
    const low = (Math.imul(0x12345678, inverse) ^ Math.imul(high, first)) >>> 0
    if (low < NINE_DIGITS) ids.push([low, high])
  }
  return ids
}

/** Ids whose halves are multiples of 2^21: a product with an odd number leaves the 21 lower bits of each zero. */
const multiples = (): Halves[] => {
  const most = Math.floor(NINE_DIGITS / 2 ** 21)
  return Array.from({ length: COUNT }, (_, index) => [
    (index % most) * 2 ** 21,
    (1 + Math.floor(index / most)) * 2 ** 21,
  ])
}

const random = (): Halves[] =>
  Array.from({ length: COUNT }, () => [
    Math.floor(Math.random() * NINE_DIGITS),
    1 + Math.floor(Math.random() * (NINE_DIGITS - 1)),
  ])

/** How many of the ids share the fullest of 65,536 places. */
const fullestPlace = (ids: readonly Halves[], hash: IdHash): number => {
  const places = new Uint16Array(65_536)
  for (const [low, high] of ids) {
    const place = hash.of(low, high) & 0xffff
    places[place] = (places[place] ?? 0) + 1
  }
  return Math.max(...places)
}

describe('the ids of a memory store', () => {
  it.each([
    ['that share one hash with fixed multipliers', collidingOnce()],
    ['that are multiples of a power of two', multiples()],
    ['that follow one another', Array.from({ length: COUNT }, (_, low): Halves => [low, 7])],
    ['at random', random()],
  ])('are spread over all places, whatever the multipliers of the store: ids %s', (_, ids) => {
    expect(new Set(ids.map(idOf)).size).toBe(COUNT)
    // Of 40,000 ids at random, 7 or 8 share the fullest place.
    for (let store = 0; store < 20; store++) expect(fullestPlace(ids, new IdHash())).toBeLessThanOrEqual(16)
  })

  it('are spread over all places if they were chosen against another store', () => {
    const other = new IdHash()
    const ids: Halves[] = []
    const chosen = 2000
    for (let low = 0; ids.length < chosen; low++) if ((other.of(low, 5) & 0xfff) === 0) ids.push([low, 5])
    // In the other store, all of them share 16 of 65,536 places.
    expect(fullestPlace(ids, other)).toBeGreaterThan(chosen / 20)
    for (let store = 0; store < 20; store++) expect(fullestPlace(ids, new IdHash())).toBeLessThanOrEqual(10)
  })

  it('take as long to write as others if they share one hash with fixed multipliers', () => {
    const write = (ids: readonly Halves[]): number => {
      const store = createMemoryStore()
      const started = performance.now()
      store.write(ids.map(id => ({ op: 'putNode', node: { id: idOf(id), type: 'user', fields: {} } })))
      return performance.now() - started
    }
    const best = (ids: readonly Halves[]): number => Math.min(...[1, 2, 3, 4, 5].map(() => write(ids)))
    const [chosen, others] = [collidingOnce(), random()]
    write(others)
    expect(best(chosen) / best(others)).toBeLessThan(3)
  })
})
