import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import { mergeFields, mergePatches } from '../../../src/stores/batch/merge-fields.ts'

/** Fields with few names, so that patches overlap, in varying orders. */
const fields = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), fc.constantFrom(1, 2, null, { a: null })),
    { selector: ([name]) => name },
  )
  .map((entries): JsonObject => Object.fromEntries(entries))

describe('merged patches', () => {
  it('give the same result as the single patches one after the other', () => {
    fc.assert(
      fc.property(fields, fields, fields, (before, first, second) => {
        const joined = mergeFields(before, mergePatches(first, second))
        expect(JSON.stringify(joined)).toBe(JSON.stringify(mergeFields(mergeFields(before, first), second)))
      }),
      { numRuns: 1000 },
    )
  })

  it('move the fields that they set to the end, even a field that was removed before', () => {
    const before = { a: 1, b: 2, c: 3 }
    const patch = mergePatches({ b: null, a: null }, { a: 4 })
    expect(Object.entries(mergeFields(before, patch))).toEqual([
      ['c', 3],
      ['a', 4],
    ])
  })

  it('remove the fields that they set to null, and keep other fields that are already null', () => {
    expect(mergeFields({ a: null, b: null }, { b: null })).toEqual({ a: null })
  })
})
