import fc from 'fast-check'
import { namedId } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import type { ColumnKind, TableColumn } from '../../../src/tables/model/table-model.ts'
import { quoteLiteral } from '../../../src/tables/postgres/quote-literal.ts'
import { formatPostgresTime, isPostgresDate } from '../../../src/tables/rows/calendar.ts'
import { isKeyText } from '../../../src/tables/rows/key-texts.ts'
import { createIdReader, parseRowId } from '../../../src/tables/rows/row-ids.ts'
import {
  endOfMilliseconds,
  isMicros,
  startOfMilliseconds,
  toMicros,
  toMilliseconds,
} from '../../../src/tables/rows/times.ts'
import { tableSql } from '../../../src/tables/sql/sql-text.ts'
import { posts } from '../../helpers/post-tables.ts'

const columnOf = (kind: ColumnKind, changes: Partial<TableColumn> = {}): TableColumn => ({
  name: 'c',
  kind,
  sqlType: kind,
  isNullable: false,
  isArray: false,
  labels: undefined,
  scale: undefined,
  timeZone: undefined,
  isInexact: false,
  collation: undefined,
  ...changes,
})

describe('texts of keys', () => {
  it.each<[ColumnKind, readonly string[], readonly string[]]>([
    ['int2', ['0', '-32768', '32767'], ['32768', '-0', '01', '+1', '1.0', '', ' 1', '1e3']],
    ['int4', ['2147483647', '-2147483648'], ['2147483648', '-2147483649']],
    [
      'int8',
      ['9223372036854775807', '-9223372036854775808'],
      ['9223372036854775808', '99999999999999999999'],
    ],
    ['uuid', ['0190f3c2-0000-4000-8000-00000000abcd'], ['0190F3C2-0000-4000-8000-00000000ABCD', '0190f3c2']],
    ['text', ['', "it's", '日本'], ['a\u0000', '\ud800']],
    ['bool', ['true', 'false'], ['t', '1', 'TRUE']],
    ['numeric', ['1.50', '-0.1', 'NaN', '-Infinity'], ['1,5', '.5', '1e5', 'nan']],
    ['float', ['1.5', '1e-300', 'Infinity', '0'], ['1e999', '1e-999', '0x1', '']],
    [
      'date',
      ['2024-02-29', '0044-03-15 BC', 'infinity'],
      ['2023-02-29', '2024-13-01', '0000-01-01', '24-1-1'],
    ],
    ['timestamptz', ['0', '-1', 'infinity'], ['1.5', '-0', '9224318016000000000', '2024-01-01']],
    ['json', [], ['1', '{}']],
    ['other', [], ['a']],
  ])('of the kind %s are those that a column can hold', (kind, valid, invalid) => {
    for (const text of valid) expect(isKeyText(columnOf(kind), text), text).toBe(true)
    for (const text of invalid) expect(isKeyText(columnOf(kind), text), text).toBe(false)
  })

  it('of an enum are its labels, and arrays have none', () => {
    expect(isKeyText(columnOf('enum', { labels: ['a'] }), 'a')).toBe(true)
    expect(isKeyText(columnOf('enum', { labels: ['a'] }), 'b')).toBe(false)
    expect(isKeyText(columnOf('int4', { isArray: true }), '1')).toBe(false)
  })
})

describe('times', () => {
  const micros = fc.bigInt({ min: -210_866_803_200_000_000n, max: 9_224_318_015_999_999_999n })

  it('keep every microsecond', () => {
    fc.assert(
      fc.property(micros, value => {
        const seconds = `${value < 0n ? '-' : ''}${(value < 0n ? -value : value) / 1_000_000n}`
        const fraction = `${(value < 0n ? -value : value) % 1_000_000n}`.padStart(6, '0')
        expect(toMicros(`${seconds}.${fraction}`)).toBe(`${value}`)
        expect(isMicros(`${value}`)).toBe(true)
      }),
    )
  })

  it('are written as JavaScript writes them, in the years that both have', () => {
    const ms = fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 11, 31) })
    fc.assert(
      fc.property(ms, time => {
        const expected = new Date(time).toISOString().replace('T', ' ').replace('Z', '000+00')
        const year = new Date(time).getUTCFullYear()
        fc.pre(year > 0 && year < 10_000)
        expect(formatPostgresTime(BigInt(time) * 1000n)).toBe(expected)
        expect(isPostgresDate(expected.slice(0, 10))).toBe(true)
      }),
    )
  })

  it('lie in a window of milliseconds exactly if they round down into it', () => {
    const times = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 })
    const order = (text: string): bigint =>
      text === 'infinity' ? 2n ** 64n : text === '-infinity' ? -(2n ** 64n) : BigInt(text)
    fc.assert(
      fc.property(micros, times, (value, time) => {
        const ms = toMilliseconds(`${value}`)
        expect(value >= order(startOfMilliseconds(time))).toBe(ms >= time)
        expect(value <= order(endOfMilliseconds(time))).toBe(ms <= time)
      }),
    )
  })
})

describe('ids of rows', () => {
  const { '~model': model } = posts.tables
  const post = model.types.get('post') ?? expect.fail('no type post')

  it('are read back to the same key, if they are short enough', () => {
    const readId = createIdReader(post)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), key => {
        fc.pre(!key.includes('\u0000') && key.isWellFormed())
        const id = readId([key], 0)
        if (id === undefined) return expect(() => namedId('post', key)).toThrow('190')
        expect(parseRowId(model, id)).toEqual({ type: post, key: [key] })
      }),
    )
  })

  it('do not exist for a key that contains NULL', () => {
    expect(createIdReader(post)([null], 0)).toBeUndefined()
  })
})

describe('quoted SQL', () => {
  it('contains names and constants that cannot end it', () => {
    expect(tableSql({ schema: 'a"b', name: 'select' })).toBe('"a""b"."select"')
    expect(tableSql({ schema: undefined, name: "it's" })).toBe(`"it's"`)
    expect(quoteLiteral("it's")).toBe(`'it''s'`)
    expect(quoteLiteral(`\\'; drop table a`)).toBe(`E'\\\\''; drop table a'`)
    expect(quoteLiteral(1.5)).toBe('1.5')
    expect(quoteLiteral(true)).toBe('true')
  })
})
