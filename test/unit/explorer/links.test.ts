import { describe, expect, it } from 'vitest'
import { faultIn } from '../../../src/explorer/page/answer/fault.ts'
import { leadOfKey, leadOfValue } from '../../../src/explorer/page/answer/links.ts'
import { parseFields } from '../../../src/fields/parse.ts'

const GRAPH = 'https://api.example/graph'
const of = (value: string, key: string, parent = {}) =>
  leadOfValue(value, { parent: { ...parent, [key]: value }, key, expression: [] }, GRAPH)

describe('what leads on in an answer', () => {
  it('is the id of a node', () => {
    expect(of('1056', 'id')).toEqual({ kind: 'graph', to: '1056' })
    expect(of('1056', 'name')).toBeUndefined()
    expect(of('../x', 'id')).toBeUndefined()
  })

  it('is a link to another page or to an edge, below the graph alone', () => {
    expect(of('/v1.0/4/photos?after=x', 'next')).toEqual({ kind: 'graph', to: '/v1.0/4/photos?after=x' })
    expect(of('/4/photos', 'photos')).toEqual({ kind: 'graph', to: '/4/photos' })
    expect(of('//evil.example/4/photos', 'next')).toBeUndefined()
  })

  it('is a link of the web, of which nothing is loaded', () => {
    expect(of('https://pictures.example/1.png', 'url')).toEqual({
      kind: 'web',
      to: 'https://pictures.example/1.png',
    })
    expect(of('javascript:alert(1)', 'url')).toBeUndefined()
    expect(of('data:text/html,x', 'link')).toBeUndefined()
  })

  it('is the name of an edge, by its own name', () => {
    const expression = parseFields('friends.as(pals)', { length: 99, depth: 9, items: 9 })
    const page = { data: [] }
    expect(leadOfKey(page, { parent: { id: '1', pals: page }, key: 'pals', expression })).toEqual({
      kind: 'graph',
      to: '1/friends',
    })
    expect(leadOfKey({ data: {} }, { parent: { id: '1' }, key: 'picture', expression })).toBeUndefined()
  })
})

describe('a fault', () => {
  it('is read from its envelope, with the place in the text', () => {
    const error = {
      message: 'There is no field nmae',
      type: 'OAuthException',
      code: 100,
      error_data: { reason: 'unknown_field', suggestions: ['name'] },
      fbtrace_id: 'abc',
    }
    expect(faultIn({ error, range: { from: 5, to: 9 } })).toEqual({
      message: 'There is no field nmae',
      type: 'OAuthException',
      code: 100,
      subcode: undefined,
      reason: 'unknown_field',
      traceId: 'abc',
      suggestions: ['name'],
      fits: undefined,
      range: { from: 5, to: 9 },
    })
  })

  it('is nothing else', () => {
    for (const answer of [undefined, null, [], { id: '1' }, { error: 'x' }, 'error'])
      expect(faultIn(answer)).toBeUndefined()
  })
})
