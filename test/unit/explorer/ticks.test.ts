import { describe, expect, it } from 'vitest'
import { layOut } from '../../../src/explorer/page/expression/lay-out.ts'
import { itemAt, tick, untick } from '../../../src/explorer/page/expression/ticks.ts'
import { parseFields } from '../../../src/fields/parse.ts'
import { printFields } from '../../../src/fields/print.ts'

const parse = (text: string) => parseFields(text, { length: 1000, depth: 9, items: 99 })
const ticked = (text: string, ...path: string[]) => printFields(tick(parse(text), path))
const unticked = (text: string, ...path: string[]) => printFields(untick(parse(text), path))

describe('the field tree', () => {
  it('asks for a name behind the others', () => {
    expect(ticked('', 'name')).toBe('name')
    expect(ticked('name', 'about')).toBe('name,about')
  })

  it('asks for what is on the way there, and keeps modifiers', () => {
    expect(ticked('', 'posts', 'from', 'name')).toBe('posts{from{name}}')
    expect(ticked('posts.limit(2){message}', 'posts', 'from')).toBe('posts.limit(2){message,from}')
  })

  it('changes nothing where it is asked for already', () => {
    expect(ticked('name,posts{message}', 'posts', 'message')).toBe('name,posts{message}')
  })

  it('asks no longer, and leaves no empty braces', () => {
    expect(unticked('name,about', 'name')).toBe('about')
    expect(unticked('posts.limit(2){message}', 'posts', 'message')).toBe('posts.limit(2)')
    expect(unticked('name', 'posts', 'message')).toBe('name')
  })

  it('finds what is called otherwise in the answer, unless another has the name itself', () => {
    expect(itemAt(parse('posts.as(latest){message}'), ['posts', 'message'])).toBeDefined()
    expect(itemAt(parse('posts.as(latest),posts.limit(1)'), ['posts'])?.key).toBe('posts')
    expect(itemAt(parse('posts'), ['posts', 'message'])).toBeUndefined()
  })
})

describe('layOut', () => {
  it('keeps what is short on one line', () => {
    expect(layOut(parse('name, posts{ message }'))).toBe('name,posts{message}')
  })

  it('gives what is long an item a line, so that parsing gives it back', () => {
    const expression = parse(
      'name,about,posts.limit(2){message,from{name},comments.limit(2){message,created_time}}',
    )
    const text = layOut(expression)
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
