import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFields } from '../../../src/fields/parse.ts'
import { printFields } from '../../../src/fields/print.ts'
import { expressions } from './expressions.ts'
import { LIMITS, parseFault } from './parse-fault.ts'

describe('printing and parsing', () => {
  it('give back the expression', () => {
    fc.assert(
      fc.property(expressions, expression => {
        expect(parseFields(printFields(expression), LIMITS)).toEqual(expression)
      }),
    )
  })

  it('bring any text that parses into one form', () => {
    fc.assert(
      fc.property(expressions, expression => {
        const text = printFields(expression)
        expect(printFields(parseFields(text, LIMITS))).toBe(text)
      }),
    )
  })
})

describe('an expression', () => {
  it.each(['', ' ', '\n\t '])('of nothing but white space stands for the defaults: %o', text => {
    expect(parseFields(text, LIMITS)).toEqual([])
  })

  it('is a list of names', () => {
    expect(parseFields('name,first_name', LIMITS).map(item => item.name)).toEqual(['name', 'first_name'])
  })

  it('nests in braces, behind the modifiers', () => {
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

  it('names its items by their aliases', () => {
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
  ])('drops white space between tokens, and none inside quotes: %o', (text, printed) => {
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
  ])('takes an argument up to its closing bracket: %s', (text, argument) => {
    expect(parseFields(text, LIMITS)[0]?.modifiers[0]?.argument).toBe(argument)
  })
})

describe('a syntax fault', () => {
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
  ])('of %o is at %d: expected %s, came %s', (text, position, expected, came) => {
    const fault = parseFault(text)
    expect(fault.data).toEqual({ reason: 'syntax', position, expected, came, text })
    expect(fault.message).toBe(
      `Syntax error at character ${position}: expected ${expected}, came ${came}: ${text}`,
    )
    expect(fault.code).toBe(2500)
  })

  it('counts and echoes the text without white space', () => {
    expect(parseFault(' a , \n b { ').data).toMatchObject({ position: 4, text: 'a,b{' })
  })
})

describe('something twice', () => {
  it.each([
    ['name,name', 9, 'field name'],
    ['a{b,b}', 5, 'field b'],
    ['name,id.as(name)', 16, 'field name'],
    ['a.as(x),b.as(x)', 15, 'field x'],
    ['a.limit(1).limit(2)', 16, 'modifier limit'],
    ['a.fields(b).fields(c)', 18, 'modifier fields'],
    ['a.fields(b){c}', 11, 'the list of fields'],
  ])('is a fault in %s, at %d: %s', (text, position, what) => {
    const fault = parseFault(text)
    expect(fault.data).toEqual({ reason: 'duplicate', position, text })
    expect(fault.message).toContain(`${what} is specified more than once`)
    expect(fault.code).toBe(2500)
  })

  it('is none on different levels, or under different aliases', () => {
    expect(parseFields('a{a{a}},b.as(c),b', LIMITS)).toHaveLength(3)
  })
})

describe('an alias', () => {
  it('may be quoted, as every argument may', () => {
    expect(parseFields('photos.as("newest")', LIMITS)[0]?.key).toBe('newest')
  })

  it.each(['', 'A', '1a', 'id', 'me', 'constructor', '__proto__', 'a-b', '"a-b"'])(
    'is a name, not %o',
    word => {
      const fault = parseFault(`photos.as(${word})`)
      expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'as' })
    },
  )
})
