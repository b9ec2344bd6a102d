import fc from 'fast-check'
import { namedId } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { decodePosition, encodePosition } from '../../src/core/cursor-letters.ts'

const LATEST = 8.64e15
const time = fc.oneof(fc.integer({ min: -LATEST, max: LATEST }), fc.integer({ min: -1, max: 1 }))

const prefix = fc
  .tuple(fc.constantFrom(...'abz'), fc.string({ unit: fc.constantFrom(...'az_09'), maxLength: 62 }))
  .map(parts => parts.join(''))
const keyPart = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.integer(),
  fc.constantFrom('', '.', '~'),
)

/** The targets of each kind: raw ids and public ids. */
const TARGETS = {
  digits: fc
    .oneof(
      fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
      fc.nat({ max: 19 }).map(zeros => 10n ** BigInt(zeros)),
      fc.bigInt({ min: 10n ** 19n, max: 10n ** 20n - 1n }),
    )
    .map(String),
  named: fc.oneof(
    fc
      .tuple(prefix, fc.array(keyPart, { minLength: 1, maxLength: 3 }))
      .map(([type, key]) => namedId(type, ...key)),
    fc.base64String().map(text => `account-~${text.replaceAll('+', '-').replaceAll('/', '_')}`),
  ),
}

describe.each(['digits', 'named'] as const)('the text of a position whose target has %s', kind => {
  it('is decoded to the original position, even with extreme times and ids', () => {
    fc.assert(
      fc.property(time, TARGETS[kind], (time, target) => {
        const text = encodePosition({ time, target })
        // Every character is allowed in a URL, and a position of digits contains no point.
        expect(text).toMatch(kind === 'digits' ? /^[A-Za-z0-9_-]+$/ : /^[A-Za-z0-9_-]{10}[A-Za-z0-9_.~=-]+$/)
        expect(decodePosition(text)).toEqual({ time, target })
      }),
      { numRuns: 1000, examples: [-LATEST, LATEST].map(time => [time, kind === 'digits' ? '1' : 'a-1']) },
    )
  })
})

describe('the text of a position', () => {
  it('is unique: no other text decodes to the same position', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'AB_-az09=.~ \n'), maxLength: 30 })
    const timeLetters = fc.string({ unit: fc.constantFrom(...'ABz_-'), minLength: 10, maxLength: 10 })
    const texts = fc.oneof(
      letters,
      fc.tuple(timeLetters, fc.constantFrom('', '_'), letters).map(parts => parts.join('')),
    )
    fc.assert(
      fc.property(texts, text => {
        const read = decodePosition(text)
        if (read !== undefined) expect(encodePosition(read)).toBe(text)
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    '',
    'A',
    'AAAAA',
    'AAAAAAAAAAA',
    'AAAAAAAAAA=====',
    '\u{1F600}AAAAAAAAA',
    'AAAAAAAAAA_',
    'AAAAAAAAAA_1',
    'AAAAAAAAA_photo-1',
  ])('cannot be %o', text => {
    expect(decodePosition(text)).toBeUndefined()
  })
})
