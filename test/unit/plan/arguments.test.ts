import { edge, field } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { readLimit, readOrder, readSummary } from '../../../src/plan/arguments.ts'
import { resolveGraphLimits } from '../../../src/plan/limits.ts'
import { createFirstPageWindow, memoize, printLinkQuery } from '../../../src/plan/link-query.ts'

describe('the limit of an edge', () => {
  it.each([
    [1, 1],
    ['1', 1],
    [25, 25],
    ['0025', 25],
    [100, 100],
    [101, 100],
    ['999999999999999', 100],
    [Number.MAX_SAFE_INTEGER, 100],
  ])('is read from %o as %d', (value, limit) => {
    expect(readLimit(value, 100)).toBe(limit)
  })

  it.each([0, -1, 1.5, Number.NaN, '0', '', '-1', '1.5', 'x', ' 1', '1e1', '9'.repeat(16), null, true, {}])(
    'cannot be %o',
    value => {
      expect(() => readLimit(value, 100)).toThrow(
        '(#100) Invalid parameter "limit": must be an integer of at least 1, or 0 with a summary; received ',
      )
    },
  )
})

describe('the order of an edge', () => {
  it('is one that every edge has, or one that the edge declares', () => {
    const ranked = edge('user', {
      fields: { rank: field.int({ required: true }) },
      orders: { newest: 'time', top: { by: 'rank' } },
      order: 'newest',
    })
    const names = ['chronological', 'reverse_chronological', 'newest', 'top']
    expect(names.map(name => readOrder(ranked, name).name)).toEqual(names)
    expect(readOrder(ranked, undefined).name).toBe('newest')
    for (const value of ['', 'Chronological', '__proto__', 1, null]) {
      expect(() => readOrder(ranked, value)).toThrow(
        '(#100) Invalid parameter "order": must be one of "newest", "top", "chronological", "reverse_chronological"; received ',
      )
    }
  })
})

describe('the summary of an edge', () => {
  it.each([
    [true, true],
    [1, true],
    ['true', true],
    ['1', true],
    [false, false],
    [0, false],
    ['false', false],
    ['0', false],
  ])('is read from %o as %s', (value, isRequested) => {
    expect(readSummary(value)).toBe(isRequested)
  })

  it.each(['', 'yes', '2', 2, null, 'TRUE', '"true"', {}])('cannot be %o', value => {
    expect(() => readSummary(value)).toThrow(
      '(#100) Invalid parameter "summary": must be true or false; received ',
    )
  })
})

describe('the limits of a graph', () => {
  it('have default values', () => {
    const defaults = {
      length: 8192,
      depth: 8,
      fields: 200,
      cost: 25_000,
      scan: 100_000,
      page: 100,
      ids: 50,
      timeoutMs: 10_000,
      actionTimeoutMs: 10_000,
    }
    expect(resolveGraphLimits(undefined)).toEqual(defaults)
    expect(resolveGraphLimits({ page: 10, ids: undefined })).toEqual({ ...defaults, page: 10 })
    expect(Object.isFrozen(resolveGraphLimits({}))).toBe(true)
  })
})

describe('the query of a paging link', () => {
  const fields = [
    { name: 'from', key: 'from', modifiers: [{ name: 'f', argument: '"a&b=c"' }], fields: undefined },
  ]

  it('has the encoded fields and parameters in their order', () => {
    expect(
      printLinkQuery(fields, [
        ['limit', '2'],
        ['since', '2014-08-03T00:00:00+0000'],
      ]),
    ).toBe('fields=from.f(%22a%26b%3Dc%22)&limit=2&since=2014-08-03T00%3A00%3A00%2B0000')
  })

  it('is empty if the call has no fields and parameters', () => {
    expect(printLinkQuery(undefined, [])).toBe('')
    expect(printLinkQuery([], [])).toBe('')
  })

  it('has no cursor for a first page', () => {
    const { createLinkQuery, ...others } = createFirstPageWindow(() => 'limit=2', 'likes likes chronological')
    expect(createLinkQuery()).toBe('limit=2')
    expect(others).toStrictEqual({
      from: undefined,
      resolvedFrom: undefined,
      onlySource: undefined,
      cursorParameter: undefined,
      minTime: undefined,
      maxTime: undefined,
      listKey: 'likes likes chronological',
      parameters: {},
    })
  })

  it('is built only once, when the first link is created', () => {
    let made = 0
    const query = memoize(() => `limit=${++made}`)
    expect(made).toBe(0)
    expect([query(), query()]).toEqual(['limit=1', 'limit=1'])
  })
})
