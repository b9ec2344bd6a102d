import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePosition, encodePosition } from '../../src/core/cursor-letters.ts'

const LATEST = 8.64e15
const position = fc.record({
  time: fc.oneof(fc.integer({ min: -LATEST, max: LATEST }), fc.integer({ min: -1, max: 1 })),
  target: fc.oneof(
    fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
    fc.nat({ max: 19 }).map(zeros => 10n ** BigInt(zeros)),
    fc.bigInt({ min: 10n ** 19n, max: 10n ** 20n - 1n }),
  ),
})

describe('the text of a position', () => {
  it('is decoded to the original position, even with extreme times and ids', () => {
    fc.assert(
      fc.property(position, ({ time, target }) => {
        const given = { time, target: `${target}` }
        const text = encodePosition(given)
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(decodePosition(text)).toEqual(given)
      }),
      { numRuns: 2000, examples: [-LATEST, LATEST].map(time => [{ time, target: 1n }]) },
    )
  })

  it('is unique: no other text decodes to the same position', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'AB_-az09=. \n'), maxLength: 30 })
    fc.assert(
      fc.property(letters, text => {
        const read = decodePosition(text)
        if (read !== undefined) expect(encodePosition(read)).toBe(text)
      }),
      { numRuns: 5000 },
    )
  })

  it.each(['', 'A', 'AAAAA', 'AAAAAAAAAAA', 'AAAAAAAAAA=====', '\u{1F600}AAAAAAAAA'])(
    'cannot be %o',
    text => {
      expect(decodePosition(text)).toBeUndefined()
    },
  )
})
