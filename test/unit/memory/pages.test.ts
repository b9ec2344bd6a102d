import { describe, expect, it } from 'vitest'
import { Epochs } from '../../../src/stores/memory/epochs.ts'
import { PAGE_SIZE } from '../../../src/stores/memory/pages.ts'
import { Rows } from '../../../src/stores/memory/rows.ts'
import { Slots } from '../../../src/stores/memory/slots.ts'
import { SparseSlots } from '../../../src/stores/memory/sparse-slots.ts'

describe('rows', () => {
  it('hold 0 until written, and again once cleared', () => {
    const rows = new Rows(new Epochs(), 2)
    rows.set(PAGE_SIZE, 1, 7)
    expect([rows.get(PAGE_SIZE, 1), rows.get(PAGE_SIZE, 0), rows.get(9 * PAGE_SIZE, 1)]).toStrictEqual([
      7, 0, 0,
    ])
    rows.set(PAGE_SIZE + 1, 0, 8)
    rows.clear(PAGE_SIZE)
    expect([rows.get(PAGE_SIZE, 1), rows.get(PAGE_SIZE + 1, 0)]).toStrictEqual([0, 8])
  })

  it('stay as they were for a fork while its epoch is open, new pages and old', () => {
    const epochs = new Epochs()
    const rows = new Rows(epochs, 1)
    rows.set(1, 0, 1)
    epochs.open()
    const first = rows.fork(epochs)
    rows.set(1, 0, 2)
    rows.set(PAGE_SIZE, 0, 2)
    epochs.open()
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

describe('slots', () => {
  it.each([Slots, SparseSlots])('%o hold what was set last, and forks what was set before them', Kind => {
    const epochs = new Epochs()
    const slots = new Kind<string>(epochs)
    slots.set(3, 'three')
    slots.set(PAGE_SIZE + 3, 'far')
    epochs.open()
    const fork = slots.fork(epochs)
    slots.set(3, undefined)
    slots.set(4, 'four')
    expect([3, 4, PAGE_SIZE + 3].map(number => slots.get(number))).toStrictEqual([undefined, 'four', 'far'])
    expect([3, 4, PAGE_SIZE + 3].map(number => fork.get(number))).toStrictEqual(['three', undefined, 'far'])
  })

  it('name the numbers in use, in order', () => {
    const slots = new Slots<string>(new Epochs())
    for (const number of [PAGE_SIZE + 1, 2, 5]) slots.set(number, 'here')
    slots.set(5, undefined)
    expect([...slots.numbers()]).toStrictEqual([2, PAGE_SIZE + 1])
  })
})
