import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addToSize,
  isInBlocks,
  type ListSize,
  lengthOf,
  MAX_CHAIN_LENGTH,
  mayContain,
  removeFromSize,
} from '../../../src/stores/memory/edge-list-layout.ts'

const sizeOf = (keys: readonly number[]): ListSize => keys.reduce(addToSize, 0)
const keysUpTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

describe('ListSize', () => {
  it('counts added and removed edges correctly, even beyond the maximum length of a chain', () => {
    let size: ListSize = 0
    for (let length = 1; length <= MAX_CHAIN_LENGTH + 5; length++) {
      size = addToSize(size, length)
      expect(lengthOf(size)).toBe(length)
      expect(isInBlocks(size)).toBe(length > MAX_CHAIN_LENGTH)
    }
    for (let length = MAX_CHAIN_LENGTH + 4; length >= MAX_CHAIN_LENGTH; length--) {
      size = removeFromSize(size)
      expect(lengthOf(size)).toBe(length)
    }
  })

  it('reports every added key as possibly contained, whatever the other keys are', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 32 - 1), { maxLength: MAX_CHAIN_LENGTH + 3 }), keys => {
        const size = sizeOf(keys)
        return lengthOf(size) === keys.length && keys.every(key => mayContain(size, key))
      }),
    )
  })

  it('reports most other keys as not contained if the chain is short', () => {
    const size = sizeOf([1, 2, 3])
    const taken = keysUpTo(1000).filter(key => mayContain(size, key))
    expect(taken).toEqual(expect.arrayContaining([1, 2, 3]))
    expect(taken.length).toBeLessThan(200)
  })

  it('reports any key as possibly contained if the list is too long for a chain', () => {
    const size = sizeOf(keysUpTo(MAX_CHAIN_LENGTH + 1))
    expect(keysUpTo(1000).every(key => mayContain(size, key))).toBe(true)
  })

  it('still reports the remaining key as possibly contained after a removal, and is 0 after the last one', () => {
    const size = sizeOf([1, 2])
    expect(mayContain(removeFromSize(size), 1) && mayContain(removeFromSize(size), 2)).toBe(true)
    expect(removeFromSize(removeFromSize(size))).toBe(0)
  })
})
