import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGraphError } from '../../../src/base/errors.ts'
import { parseFields } from '../../../src/fields/parse.ts'
import { expectParseError, LIMITS } from './expect-parse-error.ts'

describe('the size of an expression', () => {
  const nested = (depth: number): string => `${'a{'.repeat(depth - 1)}a${'}'.repeat(depth - 1)}`
  const wide = (items: number): string => Array.from({ length: items }, (_, index) => `a${index}`).join(',')

  it('may be exactly the limit', () => {
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
  ])('is rejected beyond the limit: %s', (reason, text, limit, received) => {
    const error = expectParseError(text)
    expect(error.toJSON().error.error_data).toEqual({ reason, limit, received })
    expect(error.code).toBe(1)
  })

  it('counts the names of all levels', () => {
    expect(expectParseError('a{b,c},d', { ...LIMITS, fields: 3 }).toJSON().error.error_data).toMatchObject({
      reason: 'expression_too_wide',
    })
    expect(parseFields('a{b,c},d', { ...LIMITS, fields: 4 })).toHaveLength(2)
  })

  it('is checked without a stack overflow, however deep the text is nested', () => {
    expect(expectParseError('{'.repeat(1_000_000)).reason).toBe('expression_too_long')
    expect(expectParseError('a{'.repeat(10_000), { ...LIMITS, length: 1_000_000 }).reason).toBe(
      'expression_too_deep',
    )
    expect(expectParseError(`a.f(${'('.repeat(100_000)}`, { ...LIMITS, length: 1_000_000 }).reason).toBe(
      'invalid_syntax',
    )
  })
})

describe('any text as an expression', () => {
  it('is parsed or rejected with a GraphError, never with another error', () => {
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

  it.each(['\ud83d', 'a\udc00,b', 'a.f("\ud83d")'])('is rejected if it is not well-formed: %o', text => {
    expect(expectParseError(text).toJSON().error.error_data).toMatchObject({
      reason: 'invalid_parameter',
      parameter: 'fields',
    })
  })
})
