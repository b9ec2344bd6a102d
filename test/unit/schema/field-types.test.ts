import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/json.ts'
import { type FieldType, ValidationIssue } from '../../../src/schema/field-type.ts'
import { type Name, TYPES } from './all-types.ts'

const CONTEXT = { now: Date.UTC(2014, 7, 4), defaultPicture: undefined, parameters: {}, isStrict: true }

/** Returns the stored value of a written value, and the value that a read returns for it. */
const roundTrip = (type: FieldType, value: unknown): readonly [stored: JsonValue, returned: unknown] => {
  const stored = type.parse(value)
  return [stored, type.serialize(stored, CONTEXT)]
}

const readValidationIssue = (type: FieldType, value: unknown): ValidationIssue => {
  try {
    type.parse(value)
  } catch (error) {
    if (error instanceof ValidationIssue) return error
    throw error
  }
  throw new Error('the value is valid')
}

const SECOND = Date.UTC(2014, 7, 3, 17, 41, 9)

const GOOD: readonly (readonly [Name, unknown, JsonValue, unknown])[] = [
  ['string', '', '', ''],
  ['string', 'na\u0000ïve 😀', 'na\u0000ïve 😀', 'na\u0000ïve 😀'],
  ['numericString', '007', '007', '007'],
  ['numericString', '9'.repeat(64), '9'.repeat(64), '9'.repeat(64)],
  ['numericString', '-9223372036854775808', '-9223372036854775808', '-9223372036854775808'],
  ['numericString', '-0.50', '-0.50', '-0.50'],
  ['bool', false, false, false],
  ['int', -0, -0, -0],
  ['int', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['float', 0.1, 0.1, 0.1],
  ['float', 5e-324, 5e-324, 5e-324],
  ['url', 'https://example.org/a?b#c', 'https://example.org/a?b#c', 'https://example.org/a?b#c'],
  ['url', '/default-picture.svg', '/default-picture.svg', '/default-picture.svg'],
  ['datetime', SECOND, SECOND, '2014-08-03T17:41:09+0000'],
  ['datetime', new Date(SECOND), SECOND, '2014-08-03T17:41:09+0000'],
  ['datetime', '2014-08-03T19:41:09.999+02:00', SECOND + 999, '2014-08-03T17:41:09+0000'],
  ['unixtime', SECOND / 1000, SECOND / 1000, SECOND / 1000],
  ['unixtime', new Date(SECOND), SECOND / 1000, SECOND / 1000],
  ['unixtime', '2014-08-03T17:41:09Z', SECOND / 1000, SECOND / 1000],
  ['date', '0001-01-01', '0001-01-01', '0001-01-01'],
  ['date', '2000-02-29', '2000-02-29', '2000-02-29'],
  ['date', '9999-12-31', '9999-12-31', '9999-12-31'],
  ['birthday', '1990-12-10', { date: '1990-12-10', show: 'full' }, '12/10/1990'],
  ['birthday', { date: '1990-12-10', show: 'year' }, { date: '1990-12-10', show: 'year' }, '1990'],
  ['birthday', '05/17', { date: '0004-05-17', show: 'day' }, '05/17'],
  ['birthday', '02/29', { date: '0004-02-29', show: 'day' }, '02/29'],
  ['birthday', '1990', { date: '1990-01-01', show: 'year' }, '1990'],
  ['birthday', { date: '0004-05-17', show: 'day' }, { date: '0004-05-17', show: 'day' }, '05/17'],
  ['birthday', { date: '2000-02-29', show: 'day' }, { date: '2000-02-29', show: 'day' }, '02/29'],
  [
    'picture',
    { url: '/a', width: 1, height: 2 },
    [{ url: '/a', width: 1, height: 2 }],
    { data: { height: 2, is_silhouette: false, url: '/a', width: 1 } },
  ],
  ['enum', 'green', 'green', 'green'],
  ['list', [], [], []],
  [
    'list',
    ['2014-08-03T17:41:09Z', 0],
    [SECOND, 0],
    ['2014-08-03T17:41:09+0000', '1970-01-01T00:00:00+0000'],
  ],
  ['map', {}, {}, {}],
  ['map', { a: 1, 'b c': 2 }, { a: 1, 'b c': 2 }, { a: 1, 'b c': 2 }],
  ['json', [], [], []],
  ['json', false, false, false],
  [
    'json',
    { a: [null, 1.5, 'b', { '': {} }] },
    { a: [null, 1.5, 'b', { '': {} }] },
    { a: [null, 1.5, 'b', { '': {} }] },
  ],
  ['object', { width: 3, unit: 'px' }, { width: 3, unit: 'px' }, { width: 3, unit: 'px' }],
  ['object', { unit: undefined, width: 3 }, { width: 3 }, { width: 3 }],
  ['object', { unit: null, width: 3 }, { width: 3 }, { width: 3 }],
  ['money', '12.50 EUR', '12.50 EUR', { amount: '12.50', currency: 'EUR' }],
]

const BAD: readonly (readonly [Name, unknown, string, string?])[] = [
  ['string', 1, 'a well-formed string'],
  ['string', '\ud83d', 'a well-formed string'],
  ['string', null, 'a well-formed string'],
  ['numericString', 12, 'a decimal number as a string of at most 64 characters'],
  ['numericString', '', 'a decimal number as a string of at most 64 characters'],
  ['numericString', '-', 'a decimal number as a string of at most 64 characters'],
  ['numericString', '+1', 'a decimal number as a string of at most 64 characters'],
  ['numericString', '.5', 'a decimal number as a string of at most 64 characters'],
  ['numericString', '5.', 'a decimal number as a string of at most 64 characters'],
  ['numericString', '1.2.3', 'a decimal number as a string of at most 64 characters'],
  ['numericString', '1e5', 'a decimal number as a string of at most 64 characters'],
  ['numericString', ' 1', 'a decimal number as a string of at most 64 characters'],
  ['numericString', '1\n', 'a decimal number as a string of at most 64 characters'],
  ['numericString', 'NaN', 'a decimal number as a string of at most 64 characters'],
  ['numericString', 'Infinity', 'a decimal number as a string of at most 64 characters'],
  ['numericString', `-${'9'.repeat(64)}`, 'a decimal number as a string of at most 64 characters'],
  ['numericString', '9'.repeat(65), 'a decimal number as a string of at most 64 characters'],
  ['bool', 1, 'true or false'],
  ['bool', 'true', 'true or false'],
  ['int', 1.5, 'an integer of at most 2^53 - 1'],
  ['int', 2 ** 53, 'an integer of at most 2^53 - 1'],
  ['int', '1', 'an integer of at most 2^53 - 1'],
  ['int', 1n, 'an integer of at most 2^53 - 1'],
  ['float', Number.NaN, 'a finite number'],
  ['float', Number.NEGATIVE_INFINITY, 'a finite number'],
  ['url', 'example.org', 'a URL, or a path that begins with /'],
  ['url', '', 'a URL, or a path that begins with /'],
  ['url', '/\ud83d', 'a URL, or a path that begins with /'],
  ['datetime', '03.08.2014', 'integer milliseconds, a Date or an ISO 8601 date'],
  ['datetime', 0.5, 'integer milliseconds, a Date or an ISO 8601 date'],
  ['datetime', new Date(Number.NaN), 'integer milliseconds, a Date or an ISO 8601 date'],
  ['unixtime', 0.5, 'whole seconds since the epoch'],
  ['unixtime', '2014-08-03T17:41:09.5Z', 'whole seconds since the epoch'],
  ['unixtime', 1e13, 'whole seconds since the epoch'],
  ['date', '0000-01-01', 'a date as YYYY-MM-DD'],
  ['date', '2001-02-29', 'a date as YYYY-MM-DD'],
  ['date', '2001-13-01', 'a date as YYYY-MM-DD'],
  ['date', '10000-01-01', 'a date as YYYY-MM-DD'],
  ['date', '-0001-01-01', 'a date as YYYY-MM-DD'],
  ['date', '2001-1-1', 'a date as YYYY-MM-DD'],
  ['date', '2001-01-01T00:00:00Z', 'a date as YYYY-MM-DD'],
  ['date', 0, 'a date as YYYY-MM-DD'],
  ['json', undefined, 'JSON'],
  ['json', Number.NaN, 'JSON'],
  ['json', new Date(0), 'JSON'],
  ['json', new Map(), 'JSON'],
  ['json', { a: [1, { b: undefined }] }, 'JSON', '.a[1].b'],
  // biome-ignore lint/suspicious/noSparseArray: a hole is no value
  ['json', [1, , 2], 'JSON', '[1]'],
  ['json', ['\ud83d'], 'JSON', '[0]'],
  ['json', { a: { '\ud83d': 1 } }, 'an object with well-formed names', '.a'],
  ['birthday', '02/30', "a date as YYYY-MM-DD, MM/DD or YYYY, or { date, show: 'full' | 'year' | 'day' }"],
  ['birthday', '13/01', "a date as YYYY-MM-DD, MM/DD or YYYY, or { date, show: 'full' | 'year' | 'day' }"],
  ['birthday', '5/17', "a date as YYYY-MM-DD, MM/DD or YYYY, or { date, show: 'full' | 'year' | 'day' }"],
  ['birthday', '199', "a date as YYYY-MM-DD, MM/DD or YYYY, or { date, show: 'full' | 'year' | 'day' }"],
  ['birthday', '0004', 'MM/DD for a birthday without a year, since the year 0004 means that it is unknown'],
  [
    'birthday',
    '0004-05-17',
    'MM/DD for a birthday without a year, since the year 0004 means that it is unknown',
  ],
  [
    'birthday',
    { date: '0004-05-17', show: 'full' },
    'MM/DD for a birthday without a year, since the year 0004 means that it is unknown',
  ],
  [
    'birthday',
    { date: '0004-05-17', show: 'year' },
    'MM/DD for a birthday without a year, since the year 0004 means that it is unknown',
  ],
  [
    'birthday',
    { date: '05/17', show: 'day' },
    "a date as YYYY-MM-DD, MM/DD or YYYY, or { date, show: 'full' | 'year' | 'day' }",
  ],
  [
    'birthday',
    '12/10/1990',
    "a date as YYYY-MM-DD, MM/DD or YYYY, or { date, show: 'full' | 'year' | 'day' }",
  ],
  [
    'birthday',
    '1990-02-30',
    "a date as YYYY-MM-DD, MM/DD or YYYY, or { date, show: 'full' | 'year' | 'day' }",
  ],
  [
    'birthday',
    '1990-12-10T00:00:00Z',
    "a date as YYYY-MM-DD, MM/DD or YYYY, or { date, show: 'full' | 'year' | 'day' }",
  ],
  [
    'birthday',
    { date: '1990-12-10' },
    "a date as YYYY-MM-DD, MM/DD or YYYY, or { date, show: 'full' | 'year' | 'day' }",
  ],
  [
    'birthday',
    { date: '1990-12-10', show: 'month' },
    "a date as YYYY-MM-DD, MM/DD or YYYY, or { date, show: 'full' | 'year' | 'day' }",
  ],
  ['ageRange', { min: 21 }, 'left out, since it is computed from the birthday'],
  ['picture', 'https://img.example', 'one { url, width, height } or an array of them'],
  ['picture', [], 'one { url, width, height } or an array of them'],
  ['picture', { url: '/a', width: 0, height: 1 }, 'one { url, width, height } or an array of them'],
  [
    'picture',
    [
      { url: '/a', width: 1, height: 1 },
      { url: '', width: 1, height: 1 },
    ],
    'one { url, width, height } or an array of them',
  ],
  ['enum', 'blue', 'one of "red", "green"'],
  ['enum', 'constructor', 'one of "red", "green"'],
  ['list', 'a', 'an array'],
  ['list', [0, 'b'], 'integer milliseconds, a Date or an ISO 8601 date', '[1]'],
  ['map', [], 'an object'],
  ['map', { a: 'b' }, 'an integer of at most 2^53 - 1', '.a'],
  ['map', { '\ud83d': 1 }, 'an object with well-formed names'],
  ['object', 1, 'an object with width, unit'],
  ['object', {}, 'a value', '.width'],
  ['object', { width: null }, 'a value', '.width'],
  ['object', { width: '3' }, 'an integer of at most 2^53 - 1', '.width'],
  ['object', { width: 3, depth: 1 }, 'an object with only width, unit'],
  ['object', JSON.parse('{"width":3,"__proto__":{"unit":"px"}}'), 'an object with only width, unit'],
  ['money', '12 EUR', 'an amount as "12.50 EUR"'],
]

describe('a value of a field type', () => {
  it.each(GOOD)('%s: %o is stored as %o and returned as %o', (name, value, stored, returned) => {
    expect(roundTrip(TYPES[name], value)).toEqual([stored, returned])
  })

  it('has a stored form that can be written again unchanged and survives JSON', () => {
    for (const [name, value] of GOOD) {
      const stored = TYPES[name].parse(value)
      expect(TYPES[name].parse(stored)).toEqual(stored)
      const copied: unknown = JSON.parse(JSON.stringify([stored]))
      expect(JSON.stringify([TYPES[name].parse(stored)])).toBe(JSON.stringify(copied))
    }
  })

  it.each(BAD.map(([name, value, expected, path = '']) => [name, value, expected, path] as const))(
    '%s: %o is rejected; expected %s',
    (name, value, expected, path) => {
      const issue = readValidationIssue(TYPES[name], value)
      expect([issue.expected, issue.path]).toEqual([expected, path])
      expect(issue.received.length).toBeLessThan(100)
    },
  )

  it.each(Object.keys(TYPES))('is omitted if the stored value is missing or is not JSON: %s', name => {
    const type = Object.entries(TYPES).find(([key]) => key === name)?.[1]
    for (const stored of [undefined, Symbol('no JSON'), () => 1]) {
      // A custom type returns whatever its `serialize` returns.
      if (name === 'money' && stored !== undefined) continue
      expect(type && Reflect.apply(type.serialize, type, [stored, CONTEXT])).toBeUndefined()
    }
  })

  it('is parsed, or rejected with the expected form, for any JavaScript value', () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })
    const types = Object.values(TYPES).filter(type => type.name !== 'money')
    fc.assert(
      fc.property(anything, fc.constantFrom(...types), (value, type) => {
        try {
          const stored = type.parse(value)
          expect(type.parse(stored)).toEqual(stored)
          expect(JSON.stringify(stored)).toBeDefined()
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationIssue)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('does not share objects with the written value', () => {
    const sizes = [{ url: '/a', width: 1, height: 1 }]
    const members = { width: 3 }
    const [picture, object] = [TYPES.picture.parse(sizes), TYPES.object.parse(members)]
    sizes.push({ url: '/b', width: 2, height: 2 })
    members.width = 4
    expect(picture).toEqual([{ url: '/a', width: 1, height: 1 }])
    expect(object).toEqual({ width: 3 })
  })
})

describe('a key such as __proto__ in a value of a map', () => {
  it('is returned as an ordinary key', () => {
    const value: unknown = JSON.parse('{"__proto__":1,"constructor":2}')
    const [stored, returned] = roundTrip(TYPES.map, value)
    expect(JSON.stringify(stored)).toBe('{"__proto__":1,"constructor":2}')
    expect(JSON.stringify(returned)).toBe('{"__proto__":1,"constructor":2}')
    expect(Object.getPrototypeOf(returned)).toBe(Object.prototype)
  })
})

describe('a field type with serializesAsIs', () => {
  it('returns values exactly as they are stored', () => {
    for (const [name, value] of GOOD) {
      const type = TYPES[name]
      if (!type.serializesAsIs) continue
      const [stored, returned] = roundTrip(type, value)
      expect(returned).toBe(stored)
    }
    const plain = Object.entries(TYPES).flatMap(([name, type]) => (type.serializesAsIs ? [name] : []))
    expect(plain).toEqual([
      'string',
      'numericString',
      'bool',
      'int',
      'float',
      'url',
      'unixtime',
      'date',
      'enum',
    ])
  })
})

describe('the name of a type in metadata', () => {
  it('is its name in the classic protocol', () => {
    expect(Object.fromEntries(Object.entries(TYPES).map(([name, type]) => [name, type.name]))).toEqual({
      string: 'string',
      numericString: 'numeric string',
      bool: 'bool',
      int: 'int',
      float: 'float',
      url: 'url',
      datetime: 'datetime',
      unixtime: 'unixtime',
      date: 'date',
      birthday: 'string',
      ageRange: 'agerange',
      picture: 'object',
      enum: 'enum',
      list: 'list<datetime>',
      map: 'map<string,int>',
      object: 'object',
      json: 'json',
      money: 'money',
    })
  })
})
