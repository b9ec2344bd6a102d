import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareVersions, isInVersion, isVersion, resolveVersion } from '../../../src/base/version.ts'

const part = fc.integer({ min: 0, max: 30 })
const version = fc.tuple(part, part).map(([major, minor]) => `v${major}.${minor}`)

describe('a version', () => {
  it.each(['v1.0', 'v0.0', 'v2.12', 'v999999.999999'])('may be %s', text => {
    expect(isVersion(text)).toBe(true)
  })

  it.each([
    '1.0',
    'v1',
    'v1.',
    'v.1',
    'v01.0',
    'v1.00',
    'v1.0.0',
    'V1.0',
    ' v1.0',
    'v1.0\n',
    'v1e3.0',
    '',
    1,
    null,
    ['v1.0'],
  ])('may not be %o', value => {
    expect(isVersion(value)).toBe(false)
  })
})

describe('the order of versions', () => {
  it('is numeric, by major and then by minor number', () => {
    fc.assert(
      fc.property(part, part, part, part, (a, b, c, d) => {
        expect(Math.sign(compareVersions(`v${a}.${b}`, `v${c}.${d}`))).toBe(Math.sign(a - c || b - d))
      }),
    )
  })
})

describe('isInVersion', () => {
  it('returns true for the versions from since to the one before removedIn', () => {
    fc.assert(
      fc.property(version, version, version, (since, removedIn, requested) => {
        const expected = compareVersions(requested, since) >= 0 && compareVersions(requested, removedIn) < 0
        expect(isInVersion({ since, removedIn }, requested)).toBe(expected)
      }),
    )
  })

  it('returns true for every version if since and removedIn are undefined', () => {
    expect(isInVersion({ since: undefined, removedIn: undefined }, 'v0.0')).toBe(true)
  })
})

describe('resolveVersion', () => {
  it('returns the newest declared version up to the requested one, or the oldest if all are newer', () => {
    fc.assert(
      fc.property(fc.uniqueArray(version, { minLength: 1, maxLength: 6 }), version, (declared, requested) => {
        const resolved = resolveVersion(declared, requested)
        const older = declared.filter(one => compareVersions(one, requested) <= 0)
        const from = older.length > 0 ? older : declared
        const best = older.length > 0 ? Math.max : Math.min
        const rank = (one: string): number => declared.toSorted(compareVersions).indexOf(one)
        expect(rank(resolved)).toBe(best(...from.map(rank)))
      }),
    )
  })
})
