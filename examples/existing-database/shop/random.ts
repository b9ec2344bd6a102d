/** Random choices that are the same for the same seed. */
export type Random = {
  /** Returns an integer from `least` to `most`. */
  readonly int: (least: number, most: number) => number
  readonly pick: <TValue>(values: readonly [TValue, ...TValue[]]) => TValue
  /** Returns `true` for one of `outOf` calls, on average. */
  readonly oneIn: (outOf: number) => boolean
  /** Returns a UUID of version 4. */
  readonly uuid: () => string
}

const RANGE = 2 ** 32

/** Creates the choices of a seed, with the generator mulberry32. */
export const createRandom = (seed: number): Random => {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE
  }
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  const hex = (length: number): string => Array.from({ length }, () => int(0, 15).toString(16)).join('')
  return {
    int,
    pick: values => values[int(0, values.length - 1)] ?? values[0],
    oneIn: outOf => int(1, outOf) === 1,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${(8 + int(0, 3)).toString(16)}${hex(3)}-${hex(12)}`,
  }
}
