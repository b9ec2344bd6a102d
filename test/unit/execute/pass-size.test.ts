import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import { areLarge, PASS_SIZES, type ScanProgress } from '../../../src/execute/pass-size.ts'
import type { NodeRecord } from '../../../src/store/contract.ts'

const LARGEST = 10_000

/** A walk through a list of which nothing was found visible yet. */
const barren: ScanProgress = { missing: 26, seen: 0, read: 26, last: { size: 26, seen: 0 }, total: undefined }

const sizeOf = (scan: Partial<ScanProgress>, isLarge = false): number | undefined =>
  PASS_SIZES.next([{ ...barren, ...scan }], isLarge)[0]

describe('the first pass of a page', () => {
  it('reads one edge more than the page has', () => {
    expect(PASS_SIZES.first(25)).toBe(26)
  })
})

describe('the next pass', () => {
  it('reads four times as many edges if nothing was visible, up to 10,000', () => {
    expect(sizeOf({})).toBe(104)
    expect(sizeOf({ read: 130, last: { size: 104, seen: 0 } })).toBe(416)
    expect(sizeOf({ read: 9000, last: { size: 6656, seen: 0 } })).toBe(LARGEST)
    // What was visible before does not matter.
    expect(sizeOf({ seen: 5, missing: 21, read: 130, last: { size: 104, seen: 0 } })).toBe(416)
  })

  it('reads by the share of what was visible, and at least as much as was read so far', () => {
    expect(sizeOf({ missing: 13, seen: 13, read: 26, last: { size: 26, seen: 13 } })).toBe(39)
    expect(sizeOf({ missing: 1, seen: 25, read: 26, last: { size: 26, seen: 25 } })).toBe(26)
    expect(sizeOf({ missing: 25, seen: 1, read: 500, last: { size: 500, seen: 1 } })).toBeGreaterThan(9000)
  })

  it('reads the rest of a list that is counted, and a little further if the list has grown', () => {
    const counting = { missing: Number.POSITIVE_INFINITY, read: 26, last: { size: 26, seen: 3 } }
    expect(sizeOf({ ...counting, total: 500 })).toBe(474)
    expect(sizeOf({ ...counting, total: 50_000 })).toBe(LARGEST)
    expect(sizeOf({ ...counting, total: 26 })).toBe(100)
    expect(sizeOf(counting)).toBe(LARGEST)
  })

  it('reads at most 10,000 edges over all lists, and at least one of each', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...barren,
      last: { size: index < 39 ? 2000 : 1, seen: 0 },
    }))
    const sizes = PASS_SIZES.next(many, false)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(LARGEST)
    expect(sizes.every(size => size >= 1)).toBe(true)
    expect(
      PASS_SIZES.next(
        Array.from({ length: 20_000 }, () => barren),
        false,
      ),
    ).toEqual(Array(20_000).fill(1))
  })

  it('reads half as many edges after a pass that returned very much', () => {
    expect(sizeOf({ last: { size: 1000, seen: 0 } }, true)).toBe(500)
    expect(sizeOf({ last: { size: 1000, seen: 900 } }, true)).toBe(500)
    expect(sizeOf({ last: { size: 1, seen: 0 } }, true)).toBe(1)
  })
})

describe('a pass returned very much', () => {
  const record = (fields: JsonObject): NodeRecord => ({ id: '1', type: 'photo', fields })
  const records = (count: number, characters: number): NodeRecord[] =>
    Array.from({ length: count }, () => record({ text: 'x'.repeat(characters) }))

  it.each([
    ['16 MiB are exceeded', 10_000, 2000, true],
    ['16 MiB are not', 10_000, 1500, false],
    ['one record alone exceeds them', 1, 17 * 2 ** 20, true],
    ['there are no records', 0, 0, false],
  ])('if %s', (_, count, characters, expected) => {
    expect(areLarge(records(count, characters))).toBe(expected)
  })

  it('whatever kind its values have', () => {
    const deep = record({ list: Array.from({ length: 3000 }, () => ({ a: ['x'.repeat(1000)] })) })
    expect(areLarge(Array(6).fill(deep))).toBe(true)
    expect(areLarge(Array(5).fill(deep))).toBe(false)
  })
})
