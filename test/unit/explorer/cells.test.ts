import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/json.ts'
import { memberOf, toCellParts } from '../../../src/explorer/page/table/cells.ts'

const GRAPH = 'https://api.example/graph'
const partsOf = (value: JsonValue | undefined, key = 'value') => {
  const parent = { id: '7', ...(value !== undefined && { [key]: value }) }
  return toCellParts(value, { parent, key, expression: [] }, GRAPH)
}
const toNode = (id: string, text: string) => ({ text, link: { kind: 'graph', href: id } })

describe('a cell of a table in the Explorer', () => {
  it('is empty without a value', () => {
    expect([partsOf(undefined), partsOf(null)]).toEqual([[], []])
  })

  it('shows texts, numbers and lists as text', () => {
    for (const [value, text] of [
      ['Fair', 'Fair'],
      [0, '0'],
      [false, 'false'],
      [['a', 'b'], 'a, b'],
      [{ min: 21 }, '{"min":21}'],
      [[{ a: 1 }], '[{"a":1}]'],
    ] as const)
      expect(partsOf(value)).toEqual([{ text, link: undefined }])
  })

  it('shows a ref as a link with the name of its node, or with its id', () => {
    expect(partsOf({ id: '8', name: 'Ada' })).toEqual([toNode('8', 'Ada')])
    expect(partsOf({ id: '8', rank: 1 })).toEqual([toNode('8', '8')])
  })

  it('shows the first entries of a nested page, and a link to the page', () => {
    const data = Array.from({ length: 9 }, (_, index) => ({ id: `${index + 1}`, name: `n${index + 1}` }))
    const parts = partsOf({ data }, 'friends')
    expect(parts.slice(0, 2)).toEqual([toNode('1', 'n1'), toNode('2', 'n2')])
    expect(parts.slice(5)).toEqual([toNode('7/friends', 'all friends')])
  })

  it('links web URLs, but no other URLs', () => {
    expect(partsOf('https://example.org/a')[0]?.link).toEqual({ kind: 'web', href: 'https://example.org/a' })
    expect(partsOf('javascript:alert(1)')[0]?.link).toBeUndefined()
  })

  it('truncates long texts', () => {
    expect(partsOf('x'.repeat(10_000))[0]?.text.length).toBeLessThan(400)
  })

  it('is the own member of a node, and not an inherited one', () => {
    expect(memberOf({ name: 'Ada' }, 'name')).toBe('Ada')
    expect(memberOf({}, 'constructor')).toBeUndefined()
  })
})
