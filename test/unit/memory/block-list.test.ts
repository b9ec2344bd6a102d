import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BLOCK_SIZE, BlockList } from '../../../src/stores/memory/block-list.ts'
import { Epochs } from '../../../src/stores/memory/paged-tables.ts'

/** Orders numbers by their tens, and numbers with equal tens by their last digit, from 9 to 0. */
const order = {
  keyOf: (number: number) => Math.floor(number / 10),
  idOf: (number: number) => `${10 - (number % 10)}`,
}
const compare = (a: number, b: number): number =>
  order.keyOf(a) - order.keyOf(b) || Number(order.idOf(a)) - Number(order.idOf(b))

const SIZE = 3 * BLOCK_SIZE
const anyNumber = fc.integer({ min: 1, max: 4 * BLOCK_SIZE })
const anyNumbers = fc.uniqueArray(anyNumber, { maxLength: 200 })

/** Inserts every number up to `size` in a rising, falling or mixed order, and returns them sorted. */
const fill = (list: BlockList, size: number, fillMode: 'rising' | 'falling' | 'mixed'): number[] => {
  const numbers = Array.from({ length: size }, (_, index) =>
    fillMode === 'mixed' ? ((index * 7919) % size) + 1 : fillMode === 'rising' ? index + 1 : size - index,
  )
  for (const number of numbers) list.insert(order, number)
  return numbers.sort(compare)
}

const anyFilling = fc.constantFrom('rising' as const, 'falling' as const, 'mixed' as const)

describe('BlockList compared with a sorted array', () => {
  it('contains the same numbers after any insertions and removals', () => {
    fc.assert(
      fc.property(anyFilling, anyNumbers, anyNumbers, (filling, removed, inserted) => {
        const list = new BlockList(new Epochs())
        const expected = new Set(fill(list, SIZE, filling))
        for (const number of removed) {
          if (expected.delete(number)) list.remove(order, number)
        }
        for (const number of inserted) {
          if (!expected.has(number)) list.insert(order, number)
          expected.add(number)
        }
        expect([...list]).toStrictEqual([...expected].sort(compare))
      }),
      { numRuns: 30 },
    )
  })

  it('returns the same numbers from any boundary, in both directions, up to the requested count', () => {
    const list = new BlockList(new Epochs())
    const all = fill(list, SIZE, 'mixed')
    const anyIds = fc.constantFrom(...(['below', 'through', 'all', 'none'] as const))
    const isBeforeId = {
      below: (x: number) => x < 0,
      through: (x: number) => x <= 0,
      all: () => true,
      none: () => false,
    }
    fc.assert(
      fc.property(anyNumber, anyIds, fc.nat({ max: SIZE }), (number, ids, most) => {
        const key = order.keyOf(number)
        const cut = { key, id: order.idOf(number), ids }
        const before = all.filter(
          other =>
            order.keyOf(other) < key ||
            (order.keyOf(other) === key && isBeforeId[ids](Number(order.idOf(other)) - Number(cut.id))),
        )
        const spot = list.seek(order, cut)
        expect(list.at(spot)).toBe(all[before.length] ?? 0)
        expect(list.readBackward(spot, most)).toStrictEqual(before.reverse().slice(0, most))
        expect(list.readForward(spot, most)).toStrictEqual(all.slice(before.length, before.length + most))
      }),
    )
  })

  it('can be emptied and filled again', () => {
    const list = new BlockList(new Epochs())
    for (const number of fill(list, SIZE, 'mixed')) list.remove(order, number)
    expect([...list]).toStrictEqual([])
    expect(list.at(list.endPosition)).toBe(0)
    expect(fill(list, 10, 'falling')).toStrictEqual([...list])
  })

  it('does not change if its copy is changed after a snapshot', () => {
    fc.assert(
      fc.property(anyFilling, anyNumbers, (filling, removed) => {
        const epochs = new Epochs()
        const seen = new BlockList(epochs)
        const before = fill(seen, SIZE, filling)
        epochs.openSnapshot()
        const list = seen.copy()
        for (const number of removed.filter(number => number <= SIZE)) list.remove(order, number)
        list.insert(order, SIZE + 1)
        expect([...seen]).toStrictEqual(before)
      }),
      { numRuns: 30 },
    )
  })
})
