import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyClaims } from '../../../src/base/claims.ts'
import { propertySettings } from '../../property/property-settings.ts'

const copy = (claims: unknown) => copyClaims('session', claims)

const isDeeplyFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen))

/** Returns arrays in arrays with this number of levels. */
const nest = (levels: number): unknown => (levels === 1 ? [] : [nest(levels - 1)])

const MAX_LENGTH = 16_384

describe('the copy of claims', () => {
  const small = fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'grapheme' }),
    fc.double(),
    fc.jsonValue({ maxDepth: 3 }),
  )
  const claims = fc.dictionary(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('__proto__')), small)

  it('is the claims as JSON keeps them, deeply frozen, or a usage error for a number that JSON has not', () => {
    fc.assert(
      fc.property(claims, value => {
        const text = JSON.stringify(value)
        fc.pre(text.length <= MAX_LENGTH)
        const numbers = Object.values(value).filter(member => typeof member === 'number')
        if (!numbers.every(Number.isFinite)) {
          expect(() => copy(value)).toThrow(TypeError)
          return
        }
        expect(JSON.stringify(copy(value))).toBe(text)
        // JSON has no negative zero.
        expect(copy(value)).toEqual(JSON.parse(text))
        expect(isDeeplyFrozen(copy(value))).toBe(true)
      }),
      propertySettings(200),
    )
  })

  it('does not change when the claims change', () => {
    const value = { roles: ['author'], org: { id: 7 } }
    const copied = copy(value)
    value.roles.push('admin')
    value.org.id = 8
    expect(copied).toEqual({ roles: ['author'], org: { id: 7 } })
  })

  it('has a member __proto__ of its own, and the prototype of any object', () => {
    const copied = copy(JSON.parse('{"__proto__":{"admin":true},"org":{"__proto__":1}}'))
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype)
    expect(Object.hasOwn(copied, '__proto__')).toBe(true)
    expect(copied.admin).toBeUndefined()
    expect(JSON.stringify(copied)).toBe('{"__proto__":{"admin":true},"org":{"__proto__":1}}')
  })

  it('reads each member once', () => {
    let reads = 0
    const claims = {
      get org_id() {
        reads++
        return reads === 1 ? 7 : () => 'another value'
      },
    }
    expect(copy(claims)).toEqual({ org_id: 7 })
    expect(reads).toBe(1)
  })

  it.each([
    ['text', '"claims" must be a plain object; received a string'],
    [null, '"claims" must be a plain object; received null'],
    [['a'], '"claims" must be a plain object; received an array'],
    [new Map(), '"claims" must be a plain object; received an object of a class'],
    [{ org: undefined }, '"claims.org" must be a JSON value; received undefined'],
    [{ org: { ids: [1, Number.NaN] } }, '"claims.org.ids[1]" must be a JSON value; received NaN'],
    [{ org: Number.NEGATIVE_INFINITY }, '"claims.org" must be a JSON value; received -Infinity'],
    [{ org: () => 'secret' }, '"claims.org" must be a JSON value; received a function'],
    [{ org: 7n }, '"claims.org" must be a JSON value; received a bigint'],
    [{ org: Symbol('secret') }, '"claims.org" must be a JSON value; received a symbol'],
    [{ org: new Date(0) }, '"claims.org" must be a JSON value; received an object of a class'],
    // biome-ignore lint/suspicious/noSparseArray: a hole is the case
    [{ org: [1, , 2] }, '"claims.org[1]" must be a JSON value; received undefined'],
    [
      { 'a b': ['secret \ud800'] },
      '"claims["a b"][0]" must be a well-formed string; received a string with a lone surrogate',
    ],
    [
      { '\udfff': 1 },
      '"claims["\ufffd"]" must be a well-formed string; received a string with a lone surrogate',
    ],
  ])('is a usage error with the path and the kind of a wrong value: %o', (claims, message) => {
    expect(() => copy(claims)).toThrow(new TypeError(`session: ${message}`))
  })

  it('has at most 10 levels', () => {
    expect(copy({ a: nest(9) })).toEqual({ a: nest(9) })
    const error = new TypeError('session: "claims" must be JSON of at most 10 levels; received more levels')
    expect(() => copy({ a: nest(10) })).toThrow(error)
    const circle: { [name: string]: unknown } = {}
    circle.self = circle
    expect(() => copy(circle)).toThrow(error)
  })

  it('has at most 16,384 characters as JSON, whatever they consist of', () => {
    const error = new TypeError(
      'session: "claims" must be JSON of at most 16384 characters; received more characters',
    )
    const fill = (claims: object): object => ({ ...claims, pad: '' })
    for (const claims of [
      {},
      { a: [] },
      { a: {} },
      { a: [1, null, true, -0.5e-7, 'é"\n\u0000'], b: { c: {} } },
    ]) {
      const room = MAX_LENGTH - JSON.stringify(fill(claims)).length
      const fitting = { ...fill(claims), pad: 'x'.repeat(room) }
      expect(JSON.stringify(copy(fitting))).toHaveLength(MAX_LENGTH)
      expect(() => copy({ ...fitting, pad: 'x'.repeat(room + 1) })).toThrow(error)
    }
    for (const value of [
      Array.from({ length: 1e6 }, () => 0),
      'x'.repeat(1e7),
      Array.from({ length: 9000 }, () => ({})),
    ])
      expect(() => copy({ value })).toThrow(error)
    // Each level repeats the one below, so all of them together would be endless work.
    let shared: unknown = 'x'
    for (let level = 0; level < 8; level++) shared = Array.from({ length: 1000 }, () => shared)
    expect(() => copy({ shared })).toThrow(error)
  })
})
