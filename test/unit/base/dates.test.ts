import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDatetime, isTime, parseIsoDate, toTime } from '../../../src/base/dates.ts'

const LARGEST_TIME = 8.64e15

/** Any time that a JavaScript `Date` can represent, including years before the year 0. */
const time = fc.integer({ min: -LARGEST_TIME, max: LARGEST_TIME })

describe('formatDatetime', () => {
  it('formats like Date.toISOString, with +0000 instead of milliseconds and Z', () => {
    fc.assert(
      fc.property(time, milliseconds => {
        const expected = new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, '+0000')
        expect(formatDatetime(milliseconds)).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    [0, '1970-01-01T00:00:00+0000'],
    [-1, '1969-12-31T23:59:59+0000'],
    [Date.UTC(2014, 7, 3, 17, 41, 9, 999), '2014-08-03T17:41:09+0000'],
    [Date.UTC(2000, 1, 29), '2000-02-29T00:00:00+0000'],
    [Date.UTC(1900, 1, 28, 24), '1900-03-01T00:00:00+0000'],
    [-62_167_219_200_001, '-000001-12-31T23:59:59+0000'],
    [-LARGEST_TIME, '-271821-04-20T00:00:00+0000'],
    [LARGEST_TIME, '+275760-09-13T00:00:00+0000'],
  ])('formats %d as %s', (milliseconds, text) => {
    expect(formatDatetime(milliseconds)).toBe(text)
  })
})

describe('parseIsoDate', () => {
  it('parses the results of Date.toISOString and formatDatetime', () => {
    fc.assert(
      fc.property(time, milliseconds => {
        expect(parseIsoDate(new Date(milliseconds).toISOString())).toBe(milliseconds)
        const second = Math.floor(milliseconds / 1000) * 1000
        fc.pre(isTime(second))
        expect(parseIsoDate(formatDatetime(milliseconds))).toBe(second)
      }),
      { numRuns: 2000 },
    )
  })

  it('returns the same time as Date for hours below 24, or undefined if the time does not exist', () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
    const parts = fc.tuple(digits(4), digits(2), digits(2), digits(2), digits(2), digits(2))
    fc.assert(
      fc.property(parts, ([year, month, day, hour, minute, second]) => {
        fc.pre(hour < '24') // Date accepts the hour 24, parseIsoDate does not.
        const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
        const exists = !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day)
        expect(parseIsoDate(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)).toBe(
          exists ? date.getTime() : undefined,
        )
      }),
    )
  })

  it.each([
    ['2014-08-03', Date.UTC(2014, 7, 3)],
    ['2014-08-03T17:41', Date.UTC(2014, 7, 3, 17, 41)],
    ['2014-08-03T17:41:09', Date.UTC(2014, 7, 3, 17, 41, 9)],
    ['2014-08-03T17:41:09Z', Date.UTC(2014, 7, 3, 17, 41, 9)],
    ['2014-08-03T17:41:09+0000', Date.UTC(2014, 7, 3, 17, 41, 9)],
    ['2014-08-03T17:41:09+02:00', Date.UTC(2014, 7, 3, 15, 41, 9)],
    ['2014-08-03T17:41:09-0530', Date.UTC(2014, 7, 3, 23, 11, 9)],
    ['2014-08-03T17:41:09+02', Date.UTC(2014, 7, 3, 15, 41, 9)],
    ['2014-08-03T17:41:09.5Z', Date.UTC(2014, 7, 3, 17, 41, 9, 500)],
    ['2014-08-03T17:41:09,123456789Z', Date.UTC(2014, 7, 3, 17, 41, 9, 123)],
    ['+012014-08-03', Date.UTC(12014, 7, 3)],
  ])('parses %s', (text, milliseconds) => {
    expect(parseIsoDate(text)).toBe(milliseconds)
  })

  it.each([
    '',
    'now',
    '2014',
    '2014-8-3',
    '2014-02-30',
    '2015-02-29',
    '2014-13-01',
    '2014-00-01',
    '2014-08-03T24:00',
    '2014-08-03T17:60',
    '2014-08-03T17:41:60',
    '2014-08-03 17:41:09',
    '2014-08-03T17:41:09 UTC',
    '+275760-09-13T00:00:01Z',
    '2014-08-03T17:41:09+00:00junk',
    ' 2014-08-03',
  ])('rejects %o', text => {
    expect(parseIsoDate(text)).toBeUndefined()
  })
})

describe('toTime', () => {
  it('accepts integer milliseconds, a Date and ISO 8601 text', () => {
    fc.assert(
      fc.property(time, milliseconds => {
        expect(toTime(milliseconds)).toBe(milliseconds)
        expect(toTime(new Date(milliseconds))).toBe(milliseconds)
        expect(toTime(new Date(milliseconds).toISOString())).toBe(milliseconds)
      }),
    )
  })

  it.each([
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    LARGEST_TIME + 1,
    new Date(Number.NaN),
    null,
    true,
    '1407087669',
    1n,
    {},
  ])('rejects %o', value => {
    expect(toTime(value)).toBeUndefined()
  })
})
