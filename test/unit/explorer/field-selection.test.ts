import { describe, expect, it } from 'vitest'
import {
  deselectField,
  findItemAt,
  selectField,
} from '../../../src/explorer/page/expression/field-selection.ts'
import { formatExpression } from '../../../src/explorer/page/expression/format-expression.ts'
import { parseFields } from '../../../src/fields/parse.ts'
import { printFields } from '../../../src/fields/print.ts'

const parse = (text: string) => parseFields(text, { length: 1000, depth: 9, fields: 99 })
const select = (text: string, ...path: string[]) => printFields(selectField(parse(text), path))
const deselect = (text: string, ...path: string[]) => printFields(deselectField(parse(text), path))

describe('the field selection in the Explorer', () => {
  it('adds a field after the selected ones', () => {
    expect(select('', 'name')).toBe('name')
    expect(select('name', 'about')).toBe('name,about')
  })

  it('adds a nested field with its parent fields and keeps modifiers', () => {
    expect(select('', 'posts', 'from', 'name')).toBe('posts{from{name}}')
    expect(select('posts.limit(2){message}', 'posts', 'from')).toBe('posts.limit(2){message,from}')
  })

  it('does not change if the added field is already selected', () => {
    expect(select('name,posts{message}', 'posts', 'message')).toBe('name,posts{message}')
  })

  it('removes a field and leaves no empty braces', () => {
    expect(deselect('name,about', 'name')).toBe('about')
    expect(deselect('posts.limit(2){message}', 'posts', 'message')).toBe('posts.limit(2)')
    expect(deselect('name', 'posts', 'message')).toBe('name')
  })

  it('finds a field that has an alias by its own name, unless another item has this name as its key', () => {
    expect(findItemAt(parse('posts.as(latest){message}'), ['posts', 'message'])).toBeDefined()
    expect(findItemAt(parse('posts.as(latest),posts.limit(1)'), ['posts'])?.key).toBe('posts')
    expect(findItemAt(parse('posts'), ['posts', 'message'])).toBeUndefined()
  })
})

describe('formatExpression', () => {
  it('keeps a short expression on one line', () => {
    expect(formatExpression(parse('name, posts{ message }'))).toBe('name,posts{message}')
  })

  it('writes each item of a long expression on its own line, without changing its meaning', () => {
    const expression = parse(
      'name,about,posts.limit(2){message,from{name},comments.limit(2){message,created_time}}',
    )
    const text = formatExpression(expression)
    expect(text).toBe(`\
name,
about,
posts.limit(2){
  message,
  from{name},
  comments.limit(2){message,created_time}
}`)
    expect(parse(text)).toEqual(expression)
  })
})
