import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import { joinPatches, mergeFields } from '../../../src/stores/batch/merge-fields.ts'

/** Few names, so that patches meet, and in orders of their own. */
const fields = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), fc.constantFrom(1, 2, null, { a: null })),
    { selector: ([name]) => name },
  )
  .map((entries): JsonObject => Object.fromEntries(entries))

describe('patches', () => {
  it('come to the same text whether they are merged one by one or joined first', () => {
    fc.assert(
      fc.property(fields, fields, fields, (before, first, second) => {
        const joined = mergeFields(before, joinPatches(first, second))
        expect(JSON.stringify(joined)).toBe(JSON.stringify(mergeFields(mergeFields(before, first), second)))
      }),
      { numRuns: 1000 },
    )
  })

  it('put what they name last, even where a field was removed and set again', () => {
    const before = { a: 1, b: 2, c: 3 }
    const patch = joinPatches({ b: null, a: null }, { a: 4 })
    expect(Object.entries(mergeFields(before, patch))).toEqual([
      ['c', 3],
      ['a', 4],
    ])
  })

  it('remove only what they name, be it null already', () => {
    expect(mergeFields({ a: null, b: null }, { b: null })).toEqual({ a: null })
  })
})
