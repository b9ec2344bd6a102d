import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromStored, toStored } from '../../../src/stores/postgres/stored-text.ts'

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('\\', '0', 'f', '\u0000', '\ufeff', 'a') }),
  fc.string({ unit: 'binary' }),
)

describe('text as it is stored', () => {
  it('comes back as it was', () => {
    fc.assert(fc.property(text, text => fromStored(toStored(text)) === text))
  })

  it('holds nothing that Postgres or its clients cannot give back', () => {
    fc.assert(fc.property(text, text => !/[\0\ufeff]/.test(toStored(text))))
  })

  it('is the text itself where that is ordinary', () => {
    for (const text of ['', 'likes', 'Ada Lovelace', '😀', '漢字', '"\'`']) expect(toStored(text)).toBe(text)
  })
})
