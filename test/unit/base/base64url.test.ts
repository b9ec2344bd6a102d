import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeToAscii, encodeAscii, encodeBytes } from '../../../src/base/base64url.ts'

const bytes = fc.uint8Array({ maxLength: 300 })
const textOf = (array: Uint8Array): string => Buffer.from(array).toString('latin1')

describe('base64url', () => {
  it('is what Buffer makes of the same bytes', () => {
    fc.assert(
      fc.property(bytes, array => {
        const expected = Buffer.from(array).toString('base64url')
        expect(encodeBytes(array)).toBe(expected)
        expect(encodeAscii(textOf(array))).toBe(expected)
      }),
    )
  })

  it('gives back what was encoded', () => {
    fc.assert(
      fc.property(bytes, array => {
        expect(decodeToAscii(encodeBytes(array))).toBe(textOf(array))
      }),
    )
  })

  it('has one text for each value: what decodes is what encoding gives', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{0,12}$/), text => {
        const decoded = decodeToAscii(text)
        if (decoded !== undefined) expect(encodeAscii(decoded)).toBe(text)
      }),
    )
  })

  it('can be encoded in parts of three characters', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 6, maxLength: 6 }), bytes, (head, tail) => {
        expect(encodeBytes(head) + encodeBytes(tail)).toBe(encodeAscii(textOf(head) + textOf(tail)))
      }),
    )
  })

  it.each([
    ['A', 'one letter holds no byte'],
    ['AB', 'bits are left over'],
    ['AA==', 'padding'],
    ['A+/A', 'the letters of plain base64'],
    ['AA A', 'white space'],
    ['AAAÄ', 'other letters'],
  ])('refuses %o: %s', text => {
    expect(decodeToAscii(text)).toBeUndefined()
  })
})
