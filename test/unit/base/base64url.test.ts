import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64urlToLatin1, bytesToBase64url, latin1ToBase64url } from '../../../src/base/base64url.ts'

const bytes = fc.uint8Array({ maxLength: 300 })
const textOf = (array: Uint8Array): string => Buffer.from(array).toString('latin1')

describe('base64url', () => {
  it('equals the encoding of Buffer', () => {
    fc.assert(
      fc.property(bytes, array => {
        const expected = Buffer.from(array).toString('base64url')
        expect(bytesToBase64url(array)).toBe(expected)
        expect(latin1ToBase64url(textOf(array))).toBe(expected)
      }),
    )
  })

  it('decodes to the encoded bytes', () => {
    fc.assert(
      fc.property(bytes, array => {
        expect(base64urlToLatin1(bytesToBase64url(array))).toBe(textOf(array))
      }),
    )
  })

  it('accepts exactly one text for each value', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{0,12}$/), text => {
        const decoded = base64urlToLatin1(text)
        if (decoded !== undefined) expect(latin1ToBase64url(decoded)).toBe(text)
      }),
    )
  })

  it('can be encoded in parts if each part except the last has a multiple of three bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 6, maxLength: 6 }), bytes, (head, tail) => {
        expect(bytesToBase64url(head) + bytesToBase64url(tail)).toBe(
          latin1ToBase64url(textOf(head) + textOf(tail)),
        )
      }),
    )
  })

  it.each([
    ['A', 'a single letter holds no byte'],
    ['AB', 'bits are left over'],
    ['AA==', 'padding'],
    ['A+/A', 'the letters of plain base64'],
    ['AA A', 'white space'],
    ['AAAÄ', 'other letters'],
  ])('rejects %o: %s', text => {
    expect(base64urlToLatin1(text)).toBeUndefined()
  })
})
