import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scan } from '../../../src/explorer/page/expression/scan.ts'

const kinds = (text: string) => scan(text).tokens.map(({ kind, text }) => `${kind} ${text}`)

describe('scan', () => {
  it('tells names, modifiers and arguments apart', () => {
    expect(kinds('a.as(b){c}')).toEqual([
      'name a',
      'punctuation .',
      'modifier as',
      'punctuation (',
      'argument b',
      'punctuation )',
      'punctuation {',
      'name c',
      'punctuation }',
    ])
  })

  it('takes brackets and quotes of an argument for a part of it', () => {
    expect(kinds('a.b({"c":")"}),d')).toContain('argument {"c":")"}')
    expect(kinds('a.b(")\\")")')).toContain('argument ")\\")"')
  })

  it('knows in whose braces a name is, in either spelling', () => {
    expect(scan('a{b.fields(c').tokens.at(-1)).toMatchObject({ text: 'c', path: ['a', 'b'] })
    expect(scan('a{b}c').tokens.at(-1)).toMatchObject({ text: 'c', path: [] })
  })

  it('takes any text: tokens are in order, do not overlap, and are what the text says', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'ab.(){}," \\[') })), text => {
        let end = 0
        for (const token of scan(text).tokens) {
          expect(token.from).toBeGreaterThanOrEqual(end)
          expect(token.text).toBe(text.slice(token.from, token.to))
          end = token.to
        }
      }),
    )
  })
})
