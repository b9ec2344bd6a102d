import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNodeId } from '../../../src/base/ids.ts'
import { IdIndex } from '../../../src/stores/memory/id-index.ts'

const anyId = fc.bigInt({ min: 1n, max: 9223372036854775807n }).map(String)

describe('IdIndex', () => {
  it('contains the same ids as a Map after any additions and deletions', () => {
    const anyStep = fc.tuple(fc.oneof(anyId, fc.integer({ min: 1, max: 300 }).map(String)), fc.boolean())
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 500, maxLength: 3000, size: 'max' }), steps => {
        const index = new IdIndex()
        const map = new Map<string, number>()
        for (const [position, [id, stays]] of steps.entries()) {
          if (map.has(id) && !stays) {
            index.delete(id)
            map.delete(id)
          } else if (!map.has(id)) {
            index.add(id, position + 1)
            map.set(id, position + 1)
          }
        }
        for (const [id] of steps) expect(index.get(id)).toBe(map.get(id) ?? 0)
      }),
      { numRuns: 20 },
    )
  })

  it('distinguishes ids that share 32 bits, nine digits, or all digits but one', () => {
    const index = new IdIndex()
    const ids = [
      '1',
      '10',
      '4294967297',
      '1000000001',
      '4294967296000000001',
      '8589934592000000001',
      '1000000000000000001',
    ]
    for (const [position, id] of ids.entries()) index.add(id, position + 1)
    expect(ids.map(id => index.get(id))).toStrictEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('returns the same numbers for many ids at once as for one id at a time', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyId, fc.string()), { maxLength: 200, size: 'max' }), keys => {
        const index = new IdIndex()
        for (const [position, key] of keys.entries()) {
          if (position % 2 === 0 && isNodeId(key) && index.get(key) === 0) index.add(key, position + 1)
        }
        expect(index.getAll(keys)).toStrictEqual(keys.map(key => index.get(key)))
      }),
    )
  })

  it.each([
    '',
    '0',
    '01',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1.0',
    '1e3',
    'x',
    '1x',
    '11111111111111111111',
    '__proto__',
  ])('has no number for %j, which is not an id', text => {
    const index = new IdIndex()
    for (const id of ['1', '10', '1000']) index.add(id, 1)
    expect(index.get(text)).toBe(0)
  })
})
