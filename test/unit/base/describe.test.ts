import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describe as describeValue } from '../../../src/base/describe.ts'

describe('what came', () => {
  it.each([
    [null, 'null'],
    [undefined, 'undefined'],
    ['', '""'],
    [' a ', '" a "'],
    [12, '12'],
    [-0.5, '-0.5'],
    [Number.NaN, 'NaN'],
    [true, 'true'],
    [7n, '7'],
    [() => 1, 'a function'],
    [Symbol('secret'), 'a symbol'],
    [[1, 2], 'a list of 2'],
    [new Date(0), 'a Date'],
    [new Date(Number.NaN), 'an invalid Date'],
    [{}, 'an empty object'],
    [{ id: 1, name: 'Ada' }, 'an object with id, name'],
    [Object.create(null), 'an empty object'],
    ['x'.repeat(100), `"${'x'.repeat(60)}…"`],
  ])('%o is told as %s', (value, text) => {
    expect(describeValue(value)).toBe(text)
  })

  it.each([
    ['a token of a graph', `${'aB3_-'.repeat(9).slice(0, 43)}.${'aB3_-'.repeat(5).slice(0, 22)}`, '"…"'],
    ['a JWT', `eyJ${'aB3'.repeat(2000)}.eyJ${'aB3'.repeat(20)}.${'aB3'.repeat(20)}`, '"…"'],
    ['an app and its secret', 'demo|the secret of demo', '"demo|…"'],
    ['one in a path', `/me/eyJ${'aB3'.repeat(20)}/x`, '"/me/…/x"'],
  ])('is never told where it is %s', (_, value, text) => {
    expect(describeValue(value)).toBe(text)
  })

  it('is told in a few words, whatever came', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }), value => {
        expect(describeValue(value).length).toBeLessThan(400)
      }),
    )
  })

  it.each([
    ['long text', '"'.repeat(1_000_000)],
    ['many names', Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`name${index}`, 1]))],
  ])('is told in a few words: %s', (_, value) => {
    expect(describeValue(value).length).toBeLessThan(400)
  })

  it.each([
    ['text cut within a pair', `${'x'.repeat(59)}😀`],
    ['half of a pair', '\ud83d'],
  ])('is told in well-formed text: %s', (_, value) => {
    expect(describeValue(value).isWellFormed()).toBe(true)
  })

  it('is told in a few words: a huge number', () => {
    expect(describeValue(10n ** 5000n).length).toBeLessThan(400)
  })

  it.each([
    ['a name cut within a pair', { [`${'x'.repeat(59)}😀`]: 1 }],
    ['a name of half a pair', { '\ud83d': 1 }],
  ])('is told in well-formed text: %s', (_, value) => {
    expect(describeValue(value).isWellFormed()).toBe(true)
  })
})
