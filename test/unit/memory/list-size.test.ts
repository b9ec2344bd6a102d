import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  grown,
  isInBlocks,
  type ListSize,
  LONGEST_CHAIN,
  lengthOf,
  mayHave,
  shrunk,
} from '../../../src/stores/memory/list-size.ts'

const sizeOf = (keys: readonly number[]): ListSize => keys.reduce(grown, 0)
const keysUpTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

describe('the size of a list', () => {
  it('counts edges, from none to more than a chain holds and back', () => {
    let size: ListSize = 0
    for (let length = 1; length <= LONGEST_CHAIN + 5; length++) {
      size = grown(size, length)
      expect(lengthOf(size)).toBe(length)
      expect(isInBlocks(size)).toBe(length > LONGEST_CHAIN)
    }
    for (let length = LONGEST_CHAIN + 4; length >= LONGEST_CHAIN; length--) {
      size = shrunk(size)
      expect(lengthOf(size)).toBe(length)
    }
  })

  it('never denies a key that was put, whatever the others are', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 32 - 1), { maxLength: LONGEST_CHAIN + 3 }), keys => {
        const size = sizeOf(keys)
        return lengthOf(size) === keys.length && keys.every(key => mayHave(size, key))
      }),
    )
  })

  it('denies most keys of a short chain that were not put', () => {
    const size = sizeOf([1, 2, 3])
    const taken = keysUpTo(1000).filter(key => mayHave(size, key))
    expect(taken).toEqual(expect.arrayContaining([1, 2, 3]))
    expect(taken.length).toBeLessThan(200)
  })

  it('denies nothing of a list in blocks', () => {
    const size = sizeOf(keysUpTo(LONGEST_CHAIN + 1))
    expect(keysUpTo(1000).every(key => mayHave(size, key))).toBe(true)
  })

  it('keeps the keys that are left when others go, and forgets all with the last', () => {
    const size = sizeOf([1, 2])
    expect(mayHave(shrunk(size), 1) && mayHave(shrunk(size), 2)).toBe(true)
    expect(shrunk(shrunk(size))).toBe(0)
  })
})
