import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText, encodeText } from '../../../src/stores/postgres/stored-text.ts'

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('\\', '0', 'f', '\u0000', '\ufeff', 'a') }),
  fc.string({ unit: 'binary' }),
)

describe('text stored in Postgres', () => {
  it('is decoded to the original text', () => {
    fc.assert(fc.property(text, text => decodeText(encodeText(text)) === text))
  })

  it('does not contain characters that Postgres or its clients cannot return', () => {
    fc.assert(fc.property(text, text => !/[\0\ufeff]/.test(encodeText(text))))
  })

  it('is the original text if it has no special characters', () => {
    for (const text of ['', 'likes', 'Ada Lovelace', '😀', '漢字', '"\'`'])
      expect(encodeText(text)).toBe(text)
  })
})
