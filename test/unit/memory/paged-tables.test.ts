import { describe, expect, it } from 'vitest'
import {
  Epochs,
  PAGE_SIZE,
  PagedArray,
  PagedMap,
  Uint32Table,
} from '../../../src/stores/memory/paged-tables.ts'

describe('Uint32Table', () => {
  it('returns 0 before a row is written and after it is cleared', () => {
    const rows = new Uint32Table(new Epochs(), 2)
    rows.set(PAGE_SIZE, 1, 7)
    expect([rows.get(PAGE_SIZE, 1), rows.get(PAGE_SIZE, 0), rows.get(9 * PAGE_SIZE, 1)]).toStrictEqual([
      7, 0, 0,
    ])
    rows.set(PAGE_SIZE + 1, 0, 8)
    rows.clearRow(PAGE_SIZE)
    expect([rows.get(PAGE_SIZE, 1), rows.get(PAGE_SIZE + 1, 0)]).toStrictEqual([0, 8])
  })

  it('leaves the values of a fork unchanged while its snapshot is open, on new and old pages', () => {
    const epochs = new Epochs()
    const rows = new Uint32Table(epochs, 1)
    rows.set(1, 0, 1)
    epochs.openSnapshot()
    const first = rows.fork(epochs)
    rows.set(1, 0, 2)
    rows.set(PAGE_SIZE, 0, 2)
    epochs.openSnapshot()
    const second = rows.fork(epochs)
    rows.set(1, 0, 3)
    const seen = [first, second, rows].map(table => [table.get(1, 0), table.get(PAGE_SIZE, 0)])
    expect(seen).toStrictEqual([
      [1, 0],
      [2, 2],
      [3, 2],
    ])
  })
})

describe('a copy-on-write collection', () => {
  it.each([PagedArray, PagedMap])(
    'returns the latest value, while a fork returns the value at the time of the fork: %o',
    Kind => {
      const epochs = new Epochs()
      const slots = new Kind<string>(epochs)
      slots.set(3, 'three')
      slots.set(PAGE_SIZE + 3, 'far')
      epochs.openSnapshot()
      const fork = slots.fork(epochs)
      slots.set(3, undefined)
      slots.set(4, 'four')
      expect([3, 4, PAGE_SIZE + 3].map(number => slots.get(number))).toStrictEqual([undefined, 'four', 'far'])
      expect([3, 4, PAGE_SIZE + 3].map(number => fork.get(number))).toStrictEqual(['three', undefined, 'far'])
    },
  )

  it('lists the numbers of its used slots in ascending order if it is a PagedArray', () => {
    const slots = new PagedArray<string>(new Epochs())
    for (const number of [PAGE_SIZE + 1, 2, 5]) slots.set(number, 'here')
    slots.set(5, undefined)
    expect([...slots.numbers()]).toStrictEqual([2, PAGE_SIZE + 1])
  })
})
