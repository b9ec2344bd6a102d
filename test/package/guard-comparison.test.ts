import { describe, expect, it } from 'vitest'
import { type Comparison, compareWork, comparisonLine } from '../../bench/guard/compare-work.ts'
import type { Work } from '../../bench/guard/work.ts'

const LIMIT: Work = { bytes: 10_000, promises: 4, reads: 2 }
const ALL = ['bytes', 'promises', 'reads'] as const

const compareOne = (what: keyof Work, received: number): Comparison['result'] | undefined =>
  compareWork({ path: { ...LIMIT, [what]: received } }, { path: LIMIT }, [what])[0]?.result

describe('the comparison of measured work with its limits', () => {
  it('allows a number of bytes up to 1 % above or below its limit', () => {
    expect([10_000, 10_100, 9900].map(received => compareOne('bytes', received))).toEqual([
      'held',
      'held',
      'held',
    ])
    expect(compareOne('bytes', 10_101)).toBe('grown')
    expect(compareOne('bytes', 9899)).toBe('less')
  })

  it.each(['promises', 'reads'] as const)('allows only the exact number of %s', what => {
    const limit = LIMIT[what]
    expect([limit - 1, limit, limit + 1].map(received => compareOne(what, received))).toEqual([
      'less',
      'held',
      'grown',
    ])
  })

  it('compares each requested kind of work of each measured path', () => {
    const compared = compareWork({ one: LIMIT, two: LIMIT }, { one: LIMIT, two: LIMIT }, [
      'promises',
      'reads',
    ])
    expect(compared.map(({ path, kind }) => [path, kind])).toEqual([
      ['one', 'promises'],
      ['one', 'reads'],
      ['two', 'promises'],
      ['two', 'reads'],
    ])
  })

  it('reports a measured path without a limit', () => {
    const compared = compareWork({ added: LIMIT }, {}, ALL)
    expect(compared.map(({ result, limit }) => [result, limit])).toEqual(ALL.map(() => ['grown', 0]))
    for (const comparison of compared)
      expect(comparisonLine(comparison)).toMatch(/GROWN, a path without a limit$/)
  })

  it('reports a limit whose path is no longer measured', () => {
    const compared = compareWork({ kept: LIMIT }, { kept: LIMIT, lost: LIMIT }, ALL)
    const lost = compared.filter(({ result }) => result !== 'held')
    expect(lost.map(({ path, result }) => [path, result])).toEqual(ALL.map(() => ['lost', 'gone']))
    for (const comparison of lost) expect(comparisonLine(comparison)).toMatch(/GONE, a limit without a path$/)
  })

  it('prints a difference only for a number that is not as expected', () => {
    const lines = compareWork({ getMe: { bytes: 10_250, promises: 3, reads: 2 } }, { getMe: LIMIT }, ALL)
    expect(lines.map(line => comparisonLine(line).replaceAll(/ +/g, ' '))).toEqual([
      'getMe bytes 10250 10000 GROWN, +2.5 %',
      'getMe promises 3 4 LESS, -25.0 %',
      'getMe reads 2 2',
    ])
  })
})
