import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeValue } from '../../../src/base/describe.ts'

describe('the description of a received value', () => {
  it.each([
    [null, 'null'],
    [undefined, 'undefined'],
    ['', '""'],
    [' a ', '" a "'],
    [12, '12'],
    [-0.5, '-0.5'],
    [Number.NaN, 'NaN'],
    [true, 'true'],
    [7n, 'the bigint 7'],
    [() => 1, 'a function'],
    [Symbol('secret'), 'a symbol'],
    [[1, 2], 'an array of length 2'],
    [new Date(0), 'a Date'],
    [new Date(Number.NaN), 'an invalid Date'],
    [{}, 'an empty object'],
    [{ id: 1, name: 'Ada' }, 'an object with id, name'],
    [Object.create(null), 'an empty object'],
    ['x'.repeat(100), `"${'x'.repeat(60)}…"`],
  ])('shows %o as %s', (value, text) => {
    expect(describeValue(value)).toBe(text)
  })

  it.each([
    ['a token of a graph', `${'aB3_-'.repeat(9).slice(0, 43)}.${'aB3_-'.repeat(5).slice(0, 22)}`, '"…"'],
    ['a JWT', `eyJ${'aB3'.repeat(2000)}.eyJ${'aB3'.repeat(20)}.${'aB3'.repeat(20)}`, '"…"'],
    ['the secret of an app', 'demo|the secret of demo', '"demo|…"'],
    ['a JWT in a path', `/me/eyJ${'aB3'.repeat(20)}/x`, '"/me/…/x"'],
  ])('hides %s', (_, value, text) => {
    expect(describeValue(value)).toBe(text)
  })

  it('has fewer than 400 characters for any value', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }), value => {
        expect(describeValue(value).length).toBeLessThan(400)
      }),
    )
  })

  it.each([
    ['long text', '"'.repeat(1_000_000)],
    ['many names', Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`name${index}`, 1]))],
  ])('has fewer than 400 characters for %s', (_, value) => {
    expect(describeValue(value).length).toBeLessThan(400)
  })

  it.each([
    ['text cut within a surrogate pair', `${'x'.repeat(59)}😀`],
    ['half of a surrogate pair', '\ud83d'],
  ])('is well-formed text for %s', (_, value) => {
    expect(describeValue(value).isWellFormed()).toBe(true)
  })

  it('has fewer than 400 characters for a huge number', () => {
    expect(describeValue(10n ** 5000n).length).toBeLessThan(400)
  })

  it.each([
    ['a name cut within a surrogate pair', { [`${'x'.repeat(59)}😀`]: 1 }],
    ['a name of half a surrogate pair', { '\ud83d': 1 }],
  ])('is well-formed text for %s', (_, value) => {
    expect(describeValue(value).isWellFormed()).toBe(true)
  })
})
