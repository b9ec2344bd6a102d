import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanExpression } from '../../../src/explorer/page/expression/scan.ts'

const kinds = (text: string) => scanExpression(text).tokens.map(({ kind, text }) => `${kind} ${text}`)

describe('scanExpression', () => {
  it('distinguishes names, modifiers and arguments', () => {
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

  it('treats brackets and quotes in an argument as part of it', () => {
    expect(kinds('a.b({"c":")"}),d')).toContain('argument {"c":")"}')
    expect(kinds('a.b(")\\")")')).toContain('argument ")\\")"')
  })

  it('returns the path to a name inside braces and inside .fields()', () => {
    expect(scanExpression('a{b.fields(c').tokens.at(-1)).toMatchObject({ text: 'c', path: ['a', 'b'] })
    expect(scanExpression('a{b}c').tokens.at(-1)).toMatchObject({ text: 'c', path: [] })
  })

  it('splits any text into tokens that are in order and do not overlap', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'ab.(){}," \\[') })), text => {
        let end = 0
        for (const token of scanExpression(text).tokens) {
          expect(token.from).toBeGreaterThanOrEqual(end)
          expect(token.text).toBe(text.slice(token.from, token.to))
          end = token.to
        }
      }),
    )
  })
})
