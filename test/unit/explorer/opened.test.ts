import { describe, expect, it } from 'vitest'
import { clipped } from '../../../src/explorer/page/answer/clipped.ts'
import type { Json } from '../../../src/explorer/page/answer/json.ts'
import { AT_ONCE, openedIn } from '../../../src/explorer/page/answer/opened.ts'

const list = (length: number, member: (place: number) => Json): readonly Json[] =>
  Array.from({ length }, (_, place) => member(place))

/** The rows that stand open in the tree of a value. */
const rowsOf = (value: Json): number => {
  const opened = openedIn([value])
  return [...opened].reduce<number>((sum, one) => sum + Math.min(AT_ONCE, Object.keys(one ?? {}).length), 1)
}

describe('what is shown open of an answer', () => {
  it('is all of a small one, but for what few want to see', () => {
    const cursors = { before: 'a', after: 'b' }
    const data = [{ id: '1', photos: { data: [{ id: '2' }] } }]
    const answer = { data, paging: { cursors } }
    const opened = openedIn([answer])
    expect(opened.has(data[0]?.photos.data[0] ?? null)).toBe(true)
    expect(opened.has(answer.paging)).toBe(true)
    expect(opened.has(cursors)).toBe(false)
  })

  it('is what has room: never more than a browser draws at once, whatever the shape', () => {
    const wide = list(10_000, place => ({ id: `${place}`, name: 'x' }))
    const deep = list(100, () => ({
      friends: { data: list(100, () => ({ photos: list(100, () => ({ id: '1' })) })) },
    }))
    const large = list(10, () => Object.fromEntries(list(5000, String).map(name => [name, 1])))
    for (const answer of [wide, deep, large]) {
      expect(openedIn([answer]).has(answer)).toBe(true)
      expect(rowsOf(answer)).toBeGreaterThan(AT_ONCE)
      expect(rowsOf(answer)).toBeLessThan(1600)
    }
  })
})

describe('a long text', () => {
  it('is shown up to a length, and says how much more there is', () => {
    expect(clipped('abc', 3)).toBe('abc')
    expect(clipped('a'.repeat(5000), 3)).toBe('aaa… and 4,997 more characters')
    expect(clipped('ab😀', 3).isWellFormed()).toBe(true)
  })
})
