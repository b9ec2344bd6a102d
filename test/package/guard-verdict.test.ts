import { describe, expect, it } from 'vitest'
import { type Comparison, compareWork, comparisonLine } from '../../bench/guard/verdict.ts'
import type { Work } from '../../bench/guard/work.ts'

const LIMIT: Work = { bytes: 10_000, promises: 4, reads: 2 }
const ALL = ['bytes', 'promises', 'reads'] as const

const verdictOf = (what: keyof Work, came: number): Comparison['verdict'] | undefined =>
  compareWork({ path: { ...LIMIT, [what]: came } }, { path: LIMIT }, [what])[0]?.verdict

describe('the guard', () => {
  it('allows bytes a hundredth above their limit, and no more', () => {
    expect([10_000, 10_100, 9900].map(came => verdictOf('bytes', came))).toEqual(['held', 'held', 'held'])
    expect(verdictOf('bytes', 10_101)).toBe('grown')
    expect(verdictOf('bytes', 9899)).toBe('less')
  })

  it.each(['promises', 'reads'] as const)('holds %s to the very number', what => {
    const limit = LIMIT[what]
    expect([limit - 1, limit, limit + 1].map(came => verdictOf(what, came))).toEqual([
      'less',
      'held',
      'grown',
    ])
  })

  it('compares each path in each kind that it is told to', () => {
    const compared = compareWork({ one: LIMIT, two: LIMIT }, { one: LIMIT, two: LIMIT }, [
      'promises',
      'reads',
    ])
    expect(compared.map(({ path, what }) => [path, what])).toEqual([
      ['one', 'promises'],
      ['one', 'reads'],
      ['two', 'promises'],
      ['two', 'reads'],
    ])
  })

  it('does not let a new path through that has no limit yet', () => {
    const compared = compareWork({ added: LIMIT }, {}, ALL)
    expect(compared.map(({ verdict, limit }) => [verdict, limit])).toEqual(ALL.map(() => ['grown', 0]))
    for (const comparison of compared)
      expect(comparisonLine(comparison)).toMatch(/GROWN, a path without a limit$/)
  })

  it('misses a path that has a limit and is measured no more', () => {
    const compared = compareWork({ kept: LIMIT }, { kept: LIMIT, lost: LIMIT }, ALL)
    const lost = compared.filter(({ verdict }) => verdict !== 'held')
    expect(lost.map(({ path, verdict }) => [path, verdict])).toEqual(ALL.map(() => ['lost', 'gone']))
    for (const comparison of lost) expect(comparisonLine(comparison)).toMatch(/GONE, a limit without a path$/)
  })

  it('says by how much a figure is off, and nothing more of one that is held', () => {
    const lines = compareWork({ getMe: { bytes: 10_250, promises: 3, reads: 2 } }, { getMe: LIMIT }, ALL)
    expect(lines.map(line => comparisonLine(line).replaceAll(/ +/g, ' '))).toEqual([
      'getMe bytes 10250 10000 GROWN, +2.5 %',
      'getMe promises 3 4 LESS, -25.0 %',
      'getMe reads 2 2',
    ])
  })
})
