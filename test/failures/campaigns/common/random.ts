/** Random numbers that depend only on a seed. */
export type Random = {
  /** Returns a number from 0 to 1, without 1. */
  next(): number
  /** Returns an integer from 0 to `end`, without `end`. */
  integer(end: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
}

const mix = (state: number): number => {
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return (mixed ^ (mixed >>> 14)) >>> 0
}

/** Creates random numbers from one or more seeds. Each combination of seeds has its own numbers. */
export const createRandom = (...seeds: readonly number[]): Random => {
  let state = seeds.reduce((joined, seed) => mix((joined + seed + 0x6d2b79f5) >>> 0), 0)
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    return mix(state) / 2 ** 32
  }
  const integer = (end: number): number => Math.floor(next() * end)
  return {
    next,
    integer,
    chance: probability => next() < probability,
    pick: items => items[integer(items.length)] ?? items[0],
  }
}
