import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFields } from '../../../src/fields/parse.ts'
import { printFields } from '../../../src/fields/print.ts'
import { expectParseError, LIMITS } from './expect-parse-error.ts'
import { expressions } from './expression-arbitraries.ts'

describe('a printed expression', () => {
  it('is parsed to the original expression', () => {
    fc.assert(
      fc.property(expressions, expression => {
        expect(parseFields(printFields(expression), LIMITS)).toEqual(expression)
      }),
    )
  })

  it('is printed as the same text after parsing', () => {
    fc.assert(
      fc.property(expressions, expression => {
        const text = printFields(expression)
        expect(printFields(parseFields(text, LIMITS))).toBe(text)
      }),
    )
  })
})

describe('an expression', () => {
  it.each(['', ' ', '\n\t '])('is empty if it has nothing but white space: %o', text => {
    expect(parseFields(text, LIMITS)).toEqual([])
  })

  it('is a list of names', () => {
    expect(parseFields('name,first_name', LIMITS).map(item => item.name)).toEqual(['name', 'first_name'])
  })

  it('has nested fields in braces after the modifiers', () => {
    expect(parseFields('photos.limit(2).after(abc){from{name}}', LIMITS)).toEqual([
      {
        name: 'photos',
        key: 'photos',
        modifiers: [
          { name: 'limit', argument: '2' },
          { name: 'after', argument: 'abc' },
        ],
        fields: [
          {
            name: 'from',
            key: 'from',
            modifiers: [],
            fields: [{ name: 'name', key: 'name', modifiers: [], fields: undefined }],
          },
        ],
      },
    ])
  })

  it.each([
    ['photos.fields(id,name)', 'photos{id,name}'],
    ['photos.fields(id,from.fields(name)).limit(2)', 'photos.limit(2){id,from{name}}'],
    ['photos.limit(2).fields(id)', 'photos.limit(2){id}'],
  ])('may use the old spelling %s for %s', (old, now) => {
    expect(parseFields(old, LIMITS)).toEqual(parseFields(now, LIMITS))
  })

  it('has aliases as the keys of its items', () => {
    const [first, second] = parseFields('picture.width(100).as(small),picture.width(720).as(large)', LIMITS)
    expect([first?.key, second?.key]).toEqual(['small', 'large'])
  })

  it.each([
    ['a . limit ( 2 ) { b , c }', 'a.limit(2){b,c}'],
    ['\ta\n,\r\nb ', 'a,b'],
    ['a\u00a0,\u2003b', 'a,b'],
    ['a.f("x y"){ b }', 'a.f("x y"){b}'],
    ['a.f({ "k" : [ 1, "two words" ] })', 'a.f({"k":[1,"two words"]})'],
    ['a.f("say \\" ( x"), b', 'a.f("say \\" ( x"),b'],
  ])('ignores white space between tokens, but not in quotes: %o', (text, printed) => {
    expect(printFields(parseFields(text, LIMITS))).toBe(printed)
  })

  it.each([
    ['a.f()', ''],
    ['a.f(2)', '2'],
    ['a.f(MQ==)', 'MQ=='],
    ['a.f(2014-08-03T17:41:09+0000)', '2014-08-03T17:41:09+0000'],
    ['a.f([1,[2,3]])', '[1,[2,3]]'],
    ['a.f({"k":")"})', '{"k":")"}'],
    ['a.f("(")', '"("'],
    ['a.f("}")', '"}"'],
    ['a.f(g(h(i)))', 'g(h(i))'],
    ['a.f("\\\\")', '"\\\\"'],
    ['a.f(日本)', '日本'],
  ])('has arguments that end at their closing bracket: %s', (text, argument) => {
    expect(parseFields(text, LIMITS)[0]?.modifiers[0]?.argument).toBe(argument)
  })
})

describe('a syntax error', () => {
  it.each([
    ['*', 0, 'a name', '"*"'],
    [',a', 0, 'a name', '","'],
    ['a,,b', 2, 'a name', '","'],
    ['a,', 2, 'a name', 'the end'],
    ['1a', 0, 'a name', '"1"'],
    ['a{', 2, 'a name', 'the end'],
    ['a{}', 2, 'a name', '"}"'],
    ['a{b', 3, '"," or "}"', 'the end'],
    ['a}', 1, '"," or the end', '"}"'],
    ['a{b}{c}', 4, '"," or the end', '"{"'],
    ['a{b}.limit(2)', 4, '"," or the end', '"."'],
    ['picture?type=large', 7, '"," or the end', '"?"'],
    ['a.', 2, 'a name', 'the end'],
    ['a.(2)', 2, 'a name', '"("'],
    ['a.limit', 7, '"("', 'the end'],
    ['a.limit(2', 9, '")"', 'the end'],
    ['a.f("x', 6, 'a closing quote', 'the end'],
    ['a.f([1)', 6, 'brackets that match', '")"'],
    ['a.f([1', 6, '"]"', 'the end'],
    ['a.fields(b', 10, '"," or ")"', 'the end'],
    ['a.fields()', 9, 'a name', '")"'],
    ['a😀', 1, '"," or the end', '"😀"'],
    ['a;b', 1, '"," or the end', '";"'],
    ['a\u0000', 1, '"," or the end', '"\u0000"'],
  ])('is reported for %o at character %d: expected %s, received %s', (text, position, expected, received) => {
    const error = expectParseError(text)
    expect(error.toJSON().error.error_data).toEqual({
      reason: 'invalid_syntax',
      position,
      expected,
      received,
      text,
    })
    expect(error.message).toBe(
      `Syntax error "Expected ${expected} instead of ${received}." at character ${position}: ${text}`,
    )
    expect(error.code).toBe(2500)
  })

  it('reports the text without white space, and its position in that text', () => {
    expect(expectParseError(' a , \n b { ').data).toMatchObject({ position: 4, text: 'a,b{' })
  })
})

describe('a duplicate name', () => {
  it.each([
    ['name,name', 9, 'Field name'],
    ['a{b,b}', 5, 'Field b'],
    ['name,id.as(name)', 16, 'Field name'],
    ['a.as(x),b.as(x)', 15, 'Field x'],
    ['a.limit(1).limit(2)', 16, 'Modifier limit'],
    ['a.fields(b).fields(c)', 18, 'Modifier fields'],
    ['a.fields(b){c}', 11, 'List of fields'],
  ])('is rejected in %s at character %d: %s', (text, position, what) => {
    const error = expectParseError(text)
    expect(error.toJSON().error.error_data).toEqual({ reason: 'duplicate_name', position, text })
    expect(error.message).toContain(
      `Syntax error "${what} specified more than once." at character ${position}: `,
    )
    expect(error.code).toBe(2500)
  })

  it('is allowed on different levels and under different aliases', () => {
    expect(parseFields('a{a{a}},b.as(c),b', LIMITS)).toHaveLength(3)
  })
})

describe('an alias', () => {
  it('may be quoted like every argument', () => {
    expect(parseFields('photos.as("newest")', LIMITS)[0]?.key).toBe('newest')
  })

  it.each(['', 'A', '1a', 'id', 'me', 'constructor', '__proto__', 'a-b', '"a-b"'])(
    'must be a name, not %o',
    word => {
      const error = expectParseError(`photos.as(${word})`)
      expect(error.toJSON().error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: 'as' })
    },
  )
})
