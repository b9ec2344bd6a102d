import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/json.ts'
import {
  findInitiallyOpenValues,
  MEMBERS_PER_STEP,
  truncateText,
} from '../../../src/explorer/page/response/display-limits.ts'

const createList = (length: number, member: (index: number) => JsonValue): readonly JsonValue[] =>
  Array.from({ length }, (_, index) => member(index))

/** Counts the rows that are initially open in the tree of a value. */
const countRows = (value: JsonValue): number => {
  const opened = findInitiallyOpenValues([value])
  return [...opened].reduce<number>(
    (sum, one) => sum + Math.min(MEMBERS_PER_STEP, Object.keys(one ?? {}).length),
    1,
  )
}

describe('the initially open part of a response in the Explorer', () => {
  it('is all of a small response except its cursors', () => {
    const cursors = { before: 'a', after: 'b' }
    const data = [{ id: '1', photos: { data: [{ id: '2' }] } }]
    const result = { data, paging: { cursors } }
    const opened = findInitiallyOpenValues([result])
    expect(opened.has(data[0]?.photos.data[0] ?? null)).toBe(true)
    expect(opened.has(result.paging)).toBe(true)
    expect(opened.has(cursors)).toBe(false)
  })

  it('has fewer than 1,600 rows, whatever the shape of the response', () => {
    const wide = createList(10_000, index => ({ id: `${index}`, name: 'x' }))
    const deep = createList(100, () => ({
      friends: {
        data: createList(100, () => ({ photos: createList(100, () => ({ id: '1' })) })),
      },
    }))
    const large = createList(10, () => Object.fromEntries(createList(5000, String).map(name => [name, 1])))
    for (const result of [wide, deep, large]) {
      expect(findInitiallyOpenValues([result]).has(result)).toBe(true)
      expect(countRows(result)).toBeGreaterThan(MEMBERS_PER_STEP)
      expect(countRows(result)).toBeLessThan(1600)
    }
  })
})

describe('a text in a response in the Explorer', () => {
  it('is truncated if it is long, and ends with the number of omitted characters', () => {
    expect(truncateText('abc', 3)).toBe('abc')
    expect(truncateText('a'.repeat(5000), 3)).toBe('aaa… and 4,997 more characters')
    expect(truncateText('ab😀', 3).isWellFormed()).toBe(true)
  })
})
