import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareIds, isNodeId } from '../../../src/base/ids.ts'

const LARGEST = 9_223_372_036_854_775_807n
const id = fc.bigInt({ min: 1n, max: LARGEST }).map(String)

describe('a node id', () => {
  it('is a positive 64-bit number in decimal', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -LARGEST, max: LARGEST * 20n }), number => {
        expect(isNodeId(String(number))).toBe(number >= 1n && number <= LARGEST)
      }),
    )
  })

  it.each(['1', '9', '10', '9223372036854775807', '999999999999999999'])('may be %s', text => {
    expect(isNodeId(text)).toBe(true)
  })

  it.each([
    '',
    '0',
    '01',
    '-1',
    '+1',
    '1.0',
    '1e3',
    ' 1',
    '1\n',
    '9223372036854775808',
    '٣',
    'me',
    1,
    1n,
    null,
    undefined,
    {},
  ])('may not be %o', value => {
    expect(isNodeId(value)).toBe(false)
  })
})

describe('the order of node ids', () => {
  it('is numeric', () => {
    fc.assert(
      fc.property(id, id, (a, b) => {
        const expected = BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0
        expect(Math.sign(compareIds(a, b))).toBe(expected)
      }),
    )
  })

  it('distinguishes ids beyond the precision of JavaScript numbers', () => {
    expect(compareIds('9007199254740992', '9007199254740993')).toBeLessThan(0)
  })
})
