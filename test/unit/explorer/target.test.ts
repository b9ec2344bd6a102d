import { describe, expect, it } from 'vitest'
import { fromFragment, requestPath, toFragment } from '../../../src/explorer/page/target/query.ts'
import { isGraphLink, parsePath, printPath, readPath } from '../../../src/explorer/page/target/target.ts'

const GRAPH = 'https://api.example/graph'

describe('a path', () => {
  it('is a node, an edge of it, and parameters', () => {
    expect(parsePath('/1056/friends/?limit=2&summary=true')).toEqual({
      id: '1056',
      ids: [],
      edge: 'friends',
      parameters: [
        ['limit', '2'],
        ['summary', 'true'],
      ],
    })
  })

  it('may be of several nodes', () => {
    expect(parsePath('?ids=1,me')).toMatchObject({ id: '', ids: ['1', 'me'], edge: undefined })
    expect(parsePath('friends?ids=["1","2"]&limit=2')).toMatchObject({
      id: '',
      ids: ['1', '2'],
      edge: 'friends',
    })
  })

  it('leads nowhere but into the graph', () => {
    for (const path of ['../../admin', './..//../admin', 'admin/..']) {
      expect(parsePath(path)).toMatchObject({ id: 'admin', edge: undefined })
      const url = new URL(GRAPH + requestPath({ version: 'v1.0', path, fields: '' }))
      expect(url.pathname).toBe('/graph/v1.0/admin')
    }
  })

  it('is printed as it was', () => {
    for (const path of [
      'me',
      '1056/friends?limit=2&since=2014-01-01T00:00:00Z',
      '?ids=1,2',
      'likes?ids=1',
      '',
    ])
      expect(printPath(parsePath(path))).toBe(path)
  })

  it('never keeps a token', () => {
    expect(printPath(parsePath('me?access_token=secret&appsecret_proof=secret&limit=2'))).toBe('me?limit=2')
  })
})

describe('a path from elsewhere', () => {
  it('gives its version and fields away', () => {
    expect(readPath('/v2.0/1056/friends?fields=name%2Cabout&limit=2&after=abc', GRAPH)).toEqual({
      path: '1056/friends?limit=2&after=abc',
      version: 'v2.0',
      fields: 'name,about',
    })
  })

  it('may be a URL of the graph', () => {
    expect(readPath(`${GRAPH}/v2.0/me?access_token=secret`, GRAPH)).toEqual({
      path: 'me',
      version: 'v2.0',
      fields: undefined,
    })
  })

  it('leads into the graph where it is relative to it or below it, nowhere else', () => {
    expect(isGraphLink('/v1.0/4/photos', GRAPH)).toBe(true)
    expect(isGraphLink(`${GRAPH}/4/photos`, GRAPH)).toBe(true)
    for (const link of [
      '//evil.example/4',
      '/\\evil.example',
      'https://api.example/graphs/4',
      'javascript:alert(1)',
      '',
    ])
      expect(isGraphLink(link, GRAPH)).toBe(false)
  })
})

describe('a query', () => {
  const query = { version: 'v1.0', path: 'me/friends?limit=2', fields: 'name, posts.limit(1) {\n  message }' }

  it('is sent with its version in the path and without white space', () => {
    expect(requestPath(query)).toBe('/v1.0/me/friends?limit=2&fields=name%2Cposts.limit%281%29%7Bmessage%7D')
    expect(requestPath({ version: 'v1.0', path: 'me', fields: ' ' })).toBe('/v1.0/me')
    expect(requestPath({ version: 'v1.0', path: '?ids=1,2', fields: '' })).toBe('/v1.0/?ids=1%2C2')
    expect(requestPath({ version: 'v1.0', path: 'likes?ids=1', fields: '' })).toBe('/v1.0/likes?ids=1')
  })

  it('has no version before one is known', () => {
    expect(requestPath({ version: '', path: 'me', fields: '' })).toBe('/me')
  })

  it('is shared by the fragment of a URL, and read from it', () => {
    expect(fromFragment(toFragment(query))).toEqual(query)
    expect(fromFragment(toFragment({ ...query, fields: '' }))?.fields).toBe('')
  })

  it('is shared without a token', () => {
    for (const path of ['me?access_token=secret', 'debug_token?input_token=secret'])
      expect(toFragment({ ...query, path })).not.toContain('secret')
    expect(requestPath({ ...query, path: 'debug_token?input_token=secret' })).toContain('input_token=secret')
  })

  it('is shared with a version, or what stands there is none', () => {
    for (const version of ['../../admin', 'v1', 'v1.0/..', ''])
      expect(fromFragment(`#${new URLSearchParams({ path: 'me', version })}`)).toEqual({
        path: 'me',
        fields: '',
      })
  })

  it('is not in a fragment of another kind', () => {
    expect(fromFragment('')).toBeUndefined()
    expect(fromFragment('#section-2')).toBeUndefined()
  })
})
