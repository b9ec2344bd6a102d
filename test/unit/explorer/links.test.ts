import { describe, expect, it } from 'vitest'
import { parseError } from '../../../src/explorer/page/response/error-details.ts'
import { findKeyLink, findValueLink } from '../../../src/explorer/page/response/links.ts'
import { parseFields } from '../../../src/fields/parse.ts'

const GRAPH = 'https://api.example/graph'
const linkOf = (value: string, key: string, parent = {}) =>
  findValueLink(value, { parent: { ...parent, [key]: value }, key, expression: [] }, GRAPH)

describe('a link in a response in the Explorer', () => {
  it('may be the id of a node', () => {
    expect(linkOf('1056', 'id')).toEqual({ kind: 'graph', href: '1056' })
    expect(linkOf('photo-42', 'id')).toEqual({ kind: 'graph', href: 'photo-42' })
    expect(linkOf('account-~1aB-_', 'id')).toEqual({ kind: 'graph', href: 'account-~1aB-_' })
    expect(linkOf('1056', 'name')).toBeUndefined()
    expect(linkOf('../x', 'id')).toBeUndefined()
  })

  it('may be the path of a page or an edge, but not a URL of another host', () => {
    expect(linkOf('/v1.0/4/photos?after=x', 'next')).toEqual({
      kind: 'graph',
      href: '/v1.0/4/photos?after=x',
    })
    expect(linkOf('/4/photos', 'photos')).toEqual({ kind: 'graph', href: '/4/photos' })
    expect(linkOf('/photo-42/likes', 'likes')).toEqual({ kind: 'graph', href: '/photo-42/likes' })
    expect(linkOf('//evil.example/4/photos', 'next')).toBeUndefined()
  })

  it('may be a web URL, but not a script or data URL', () => {
    expect(linkOf('https://pictures.example/1.png', 'url')).toEqual({
      kind: 'web',
      href: 'https://pictures.example/1.png',
    })
    expect(linkOf('javascript:alert(1)', 'url')).toBeUndefined()
    expect(linkOf('data:text/html,x', 'link')).toBeUndefined()
  })

  it('may be the key of an edge, and leads to that edge even if the key is an alias', () => {
    const expression = parseFields('friends.as(pals)', { length: 99, depth: 9, fields: 9 })
    const page = { data: [] }
    expect(findKeyLink(page, { parent: { id: '1', pals: page }, key: 'pals', expression })).toEqual({
      kind: 'graph',
      href: '1/friends',
    })
    expect(findKeyLink({ data: {} }, { parent: { id: '1' }, key: 'picture', expression })).toBeUndefined()
  })

  it('contains the parameters of the edge, but no other modifiers', () => {
    const text = 'photos.type(uploaded).limit(2).since(2014-01-01).q("a&b, c").as(mine){id}'
    const expression = parseFields(text, { length: 99, depth: 9, fields: 9 })
    const page = { data: [] }
    expect(findKeyLink(page, { parent: { id: '1', mine: page }, key: 'mine', expression })).toEqual({
      kind: 'graph',
      href: '1/photos?type=uploaded&q=a%26b,%20c',
    })
  })
})

describe('an error in a response in the Explorer', () => {
  it('is parsed from its envelope, with its range in the expression', () => {
    const error = {
      message: 'There is no field nmae',
      type: 'OAuthException',
      code: 100,
      error_data: { reason: 'field_not_found', suggestions: ['name'] },
      fbtrace_id: 'abc',
    }
    expect(parseError({ error, range: { from: 5, to: 9 } })).toEqual({
      message: 'There is no field nmae',
      type: 'OAuthException',
      code: 100,
      subcode: undefined,
      reason: 'field_not_found',
      traceId: 'abc',
      suggestions: ['name'],
      fittingLimit: undefined,
      range: { from: 5, to: 9 },
    })
  })

  it('is not found in a value without an error envelope', () => {
    for (const result of [undefined, null, [], { id: '1' }, { error: 'x' }, 'error'])
      expect(parseError(result)).toBeUndefined()
  })
})
