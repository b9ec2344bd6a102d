import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import { areRecordsLarge, DEFAULT_PASS_SIZES, type ScanProgress } from '../../../src/read/pass-size.ts'
import type { NodeRecord } from '../../../src/store/contract.ts'

const LARGEST = 10_000

/** The progress of a scan that has found no visible entry yet. */
const fruitless: ScanProgress = {
  missingCount: 26,
  visibleCount: 0,
  readCount: 26,
  lastPass: { size: 26, visibleCount: 0 },
  total: undefined,
}

const nextSize = (scan: Partial<ScanProgress>, isLarge = false): number | undefined =>
  DEFAULT_PASS_SIZES.chooseNextSizes([{ ...fruitless, ...scan }], isLarge)[0]

describe('the first read pass for a page', () => {
  it('reads one edge more than the limit of the page', () => {
    expect(DEFAULT_PASS_SIZES.chooseFirstSize(25)).toBe(26)
  })
})

describe('the next read pass for a page', () => {
  it('reads four times as many edges if nothing was visible, up to 10,000', () => {
    expect(nextSize({})).toBe(104)
    expect(nextSize({ readCount: 130, lastPass: { size: 104, visibleCount: 0 } })).toBe(416)
    expect(nextSize({ readCount: 9000, lastPass: { size: 6656, visibleCount: 0 } })).toBe(LARGEST)
    // Entries that earlier passes found do not matter.
    expect(
      nextSize({
        visibleCount: 5,
        missingCount: 21,
        readCount: 130,
        lastPass: { size: 104, visibleCount: 0 },
      }),
    ).toBe(416)
  })

  it('reads as many edges as the share of visible entries requires, at least as many as were read so far', () => {
    expect(
      nextSize({
        missingCount: 13,
        visibleCount: 13,
        readCount: 26,
        lastPass: { size: 26, visibleCount: 13 },
      }),
    ).toBe(39)
    expect(
      nextSize({
        missingCount: 1,
        visibleCount: 25,
        readCount: 26,
        lastPass: { size: 26, visibleCount: 25 },
      }),
    ).toBe(26)
    expect(
      nextSize({
        missingCount: 25,
        visibleCount: 1,
        readCount: 500,
        lastPass: { size: 500, visibleCount: 1 },
      }),
    ).toBeGreaterThan(9000)
  })

  it('reads the rest of a list that is counted, or 100 edges more if the list has grown', () => {
    const counting = {
      missingCount: Number.POSITIVE_INFINITY,
      readCount: 26,
      lastPass: { size: 26, visibleCount: 3 },
    }
    expect(nextSize({ ...counting, total: 500 })).toBe(474)
    expect(nextSize({ ...counting, total: 50_000 })).toBe(LARGEST)
    expect(nextSize({ ...counting, total: 26 })).toBe(100)
    expect(nextSize(counting)).toBe(LARGEST)
  })

  it('reads at most 10,000 edges of all lists together, unless one edge of each list is more', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...fruitless,
      lastPass: { size: index < 39 ? 2000 : 1, visibleCount: 0 },
    }))
    const sizes = DEFAULT_PASS_SIZES.chooseNextSizes(many, false)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(LARGEST)
    expect(sizes.every(size => size >= 1)).toBe(true)
    expect(
      DEFAULT_PASS_SIZES.chooseNextSizes(
        Array.from({ length: 20_000 }, () => fruitless),
        false,
      ),
    ).toEqual(Array(20_000).fill(1))
  })

  it('reads half as many edges after a pass with large records', () => {
    expect(nextSize({ lastPass: { size: 1000, visibleCount: 0 } }, true)).toBe(500)
    expect(nextSize({ lastPass: { size: 1000, visibleCount: 900 } }, true)).toBe(500)
    expect(nextSize({ lastPass: { size: 1, visibleCount: 0 } }, true)).toBe(1)
  })
})

describe('areRecordsLarge', () => {
  const record = (fields: JsonObject): NodeRecord => ({ id: '1', type: 'photo', fields })
  const records = (count: number, characters: number): NodeRecord[] =>
    Array.from({ length: count }, () => record({ text: 'x'.repeat(characters) }))

  it.each([
    ['many records of more than 16 MiB', 10_000, 2000, true],
    ['many records of less than 16 MiB', 10_000, 1500, false],
    ['one record of more than 16 MiB', 1, 17 * 2 ** 20, true],
    ['no records', 0, 0, false],
  ])('returns whether the records exceed 16 MiB: %s', (_, count, characters, expected) => {
    expect(areRecordsLarge(records(count, characters))).toBe(expected)
  })

  it('includes nested values in the size of the records', () => {
    const deep = record({ list: Array.from({ length: 3000 }, () => ({ a: ['x'.repeat(1000)] })) })
    expect(areRecordsLarge(Array(6).fill(deep))).toBe(true)
    expect(areRecordsLarge(Array(5).fill(deep))).toBe(false)
  })
})
