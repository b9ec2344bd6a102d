import { describe, expect, it } from 'vitest'
import { readLimit, readOrder, readSummary } from '../../../src/plan/arguments.ts'
import { limitsOf } from '../../../src/plan/limits.ts'
import { lazily, linkQuery, openWindow } from '../../../src/plan/link-query.ts'

describe('a limit', () => {
  it.each([
    [1, 1],
    ['1', 1],
    [25, 25],
    ['0025', 25],
    [100, 100],
    [101, 100],
    ['999999999999999', 100],
    [Number.MAX_SAFE_INTEGER, 100],
  ])('%o is a page of %d', (value, limit) => {
    expect(readLimit(value, 100)).toBe(limit)
  })

  it.each([0, -1, 1.5, Number.NaN, '0', '', '-1', '1.5', 'x', ' 1', '1e1', '9'.repeat(16), null, true, {}])(
    '%o is none',
    value => {
      expect(() => readLimit(value, 100)).toThrow(
        '(#100) Invalid parameter limit: expected an integer from 1, or 0 with a summary, came ',
      )
    },
  )
})

describe('an order', () => {
  it('is one of two words', () => {
    expect(readOrder('chronological')).toBe('chronological')
    expect(readOrder('reverse_chronological')).toBe('reverse_chronological')
    for (const value of ['', 'Chronological', 'newest', 1, null, undefined]) {
      expect(() => readOrder(value)).toThrow('expected chronological or reverse_chronological')
    }
  })
})

describe('a summary', () => {
  it.each([
    [true, true],
    [1, true],
    ['true', true],
    ['1', true],
    [false, false],
    [0, false],
    ['false', false],
    ['0', false],
  ])('%o is asked for: %s', (value, asked) => {
    expect(readSummary(value)).toBe(asked)
  })

  it.each(['', 'yes', '2', 2, null, 'TRUE', '"true"', {}])('%o is neither', value => {
    expect(() => readSummary(value)).toThrow('expected true or false')
  })
})

describe('limits', () => {
  it('have defaults, one by one', () => {
    const defaults = {
      length: 8192,
      depth: 8,
      items: 200,
      cost: 25_000,
      scan: 100_000,
      page: 100,
      ids: 50,
      deadline: 10_000,
    }
    expect(limitsOf(undefined)).toEqual(defaults)
    expect(limitsOf({ page: 10, ids: undefined })).toEqual({ ...defaults, page: 10 })
    expect(Object.isFrozen(limitsOf({}))).toBe(true)
  })
})

describe('the query of a link', () => {
  const fields = [
    { name: 'from', key: 'from', modifiers: [{ name: 'f', argument: '"a&b=c"' }], fields: undefined },
  ]

  it('holds the fields and the parameters, encoded, in their order', () => {
    expect(
      linkQuery(fields, [
        ['limit', '2'],
        ['since', '2014-08-03T00:00:00+0000'],
      ]),
    ).toBe('fields=from.f(%22a%26b%3Dc%22)&limit=2&since=2014-08-03T00%3A00%3A00%2B0000')
  })

  it('is empty where nothing was asked', () => {
    expect(linkQuery(undefined, [])).toBe('')
    expect(linkQuery([], [])).toBe('')
  })

  it('of a first page has no place in the list', () => {
    const { query, ...place } = openWindow(() => 'limit=2')
    expect(query()).toBe('limit=2')
    expect(place).toEqual({
      from: undefined,
      source: undefined,
      cursor: undefined,
      minTime: undefined,
      maxTime: undefined,
    })
  })

  it('is made for the first link, and once', () => {
    let made = 0
    const query = lazily(() => `limit=${++made}`)
    expect(made).toBe(0)
    expect([query(), query()]).toEqual(['limit=1', 'limit=1'])
  })
})
