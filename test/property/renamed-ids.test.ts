import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareIds } from '../../src/base/ids.ts'
import { namedId, parseNamedId } from '../../src/index.ts'
import { toDigitsId, toNamedId } from '../../src/testing/renamed-ids.ts'
import { propertySettings } from './property-settings.ts'

const digits = fc.oneof(fc.bigInt(1n, 200n), fc.bigInt(1n, 2n ** 63n - 1n)).map(String)

describe('the named ids of tests with ids of digits', () => {
  it('are well-formed, have the order of the digits, and are converted back to the digits', () => {
    fc.assert(
      fc.property(digits, digits, (a, b) => {
        expect(parseNamedId(toNamedId(a))).toBeDefined()
        expect(Math.sign(compareIds(toNamedId(a), toNamedId(b)))).toBe(Math.sign(compareIds(a, b)))
        expect(toDigitsId(toNamedId(a))).toBe(a)
      }),
      propertySettings(1000, 100_000),
    )
  })

  it('leave other named ids, the source of collections and other texts as they are', () => {
    const key = fc.array(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 3 })
    const named = fc.tuple(fc.constantFrom('user', 'thing3'), key).map(([type, key]) => namedId(type, ...key))
    fc.assert(
      fc.property(fc.oneof(named, fc.constantFrom('root', '0', '', 'thing-x', 'things-A', '01')), text => {
        expect([toNamedId(text), toDigitsId(text)]).toEqual([text, text])
      }),
      propertySettings(1000, 100_000),
    )
  })
})
