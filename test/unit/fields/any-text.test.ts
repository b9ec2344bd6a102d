import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGraphError } from '../../../src/base/faults.ts'
import { parseFields } from '../../../src/fields/parse.ts'
import { LIMITS, parseFault } from './parse-fault.ts'

describe('the size of an expression', () => {
  const nested = (depth: number): string => `${'a{'.repeat(depth - 1)}a${'}'.repeat(depth - 1)}`
  const wide = (items: number): string => Array.from({ length: items }, (_, index) => `a${index}`).join(',')

  it('may be just the limit', () => {
    expect(parseFields('a'.repeat(8192), LIMITS)).toHaveLength(1)
    expect(parseFields(nested(8), LIMITS)).toHaveLength(1)
    expect(parseFields(wide(200), LIMITS)).toHaveLength(200)
  })

  it.each([
    ['expression_too_long', 'a'.repeat(8193), 8192, 8193],
    ['expression_too_deep', nested(9), 8, 9],
    ['expression_too_wide', wide(201), 200, 201],
    ['expression_too_deep', nested(1000), 8, 9],
    ['expression_too_deep', `${'a.fields('.repeat(9)}`, 8, 9],
  ])('is %s beyond it', (reason, text, limit, came) => {
    const fault = parseFault(text)
    expect(fault.data).toEqual({ reason, limit, came })
    expect(fault.code).toBe(1)
  })

  it('counts the names of all levels together', () => {
    expect(parseFault('a{b,c},d', { ...LIMITS, items: 3 }).data).toMatchObject({
      reason: 'expression_too_wide',
    })
    expect(parseFields('a{b,c},d', { ...LIMITS, items: 4 })).toHaveLength(2)
  })

  it('is judged before anything else, whatever its text', () => {
    expect(parseFault('{'.repeat(1_000_000)).data.reason).toBe('expression_too_long')
    expect(parseFault('a{'.repeat(10_000), { ...LIMITS, length: 1_000_000 }).data.reason).toBe(
      'expression_too_deep',
    )
    expect(parseFault(`a.f(${'('.repeat(100_000)}`, { ...LIMITS, length: 1_000_000 }).data.reason).toBe(
      'syntax',
    )
  })
})

describe('any text', () => {
  it('is parsed or refused with a fault, never with another error', () => {
    const alphabet = fc.constantFrom(
      'a',
      'b',
      ',',
      '.',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ' ',
      'as',
      'fields',
      '😀',
    )
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 30 }), parts => {
        const text = parts.join('')
        try {
          parseFields(text, LIMITS)
        } catch (error) {
          expect(isGraphError(error)).toBe(true)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it.each(['\ud83d', 'a\udc00,b', 'a.f("\ud83d")'])('must be well-formed: %o', text => {
    expect(parseFault(text).data).toMatchObject({ reason: 'bad_parameter', parameter: 'fields' })
  })
})
