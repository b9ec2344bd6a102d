import { describe, expect, it } from 'vitest'
import {
  parseFragment,
  parseMode,
  printFragment,
  printRequestPath,
} from '../../../src/explorer/page/target/query.ts'
import { isGraphLink, parseLink, parsePath, printPath } from '../../../src/explorer/page/target/target.ts'

const GRAPH = 'https://api.example/graph'

describe('a path in the Explorer', () => {
  it('is parsed into a node, an edge and parameters', () => {
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

  it('may name several nodes', () => {
    expect(parsePath('?ids=1,me')).toMatchObject({ id: '', ids: ['1', 'me'], edge: undefined })
    expect(parsePath('friends?ids=["1","2"]&limit=2')).toMatchObject({
      id: '',
      ids: ['1', '2'],
      edge: 'friends',
    })
  })

  it('never leads to a URL outside of the graph', () => {
    for (const path of ['../../admin', './..//../admin', 'admin/..']) {
      expect(parsePath(path)).toMatchObject({ id: 'admin', edge: undefined })
      const url = new URL(GRAPH + printRequestPath({ version: 'v1.0', path, fields: '' }))
      expect(url.pathname).toBe('/graph/v1.0/admin')
    }
  })

  it('is printed as the same text after parsing', () => {
    for (const path of [
      'me',
      '1056/friends?limit=2&since=2014-01-01T00:00:00Z',
      '?ids=1,2',
      'likes?ids=1',
      '',
    ])
      expect(printPath(parsePath(path))).toBe(path)
  })

  it('is printed without its token and proof', () => {
    expect(printPath(parsePath('me?access_token=secret&appsecret_proof=secret&limit=2'))).toBe('me?limit=2')
  })
})

describe('a link in the Explorer', () => {
  it('is split into its path, version and fields', () => {
    expect(parseLink('/v2.0/1056/friends?fields=name%2Cabout&limit=2&after=abc', GRAPH)).toEqual({
      path: '1056/friends?limit=2&after=abc',
      version: 'v2.0',
      fields: 'name,about',
    })
  })

  it('may be a URL of the graph', () => {
    expect(parseLink(`${GRAPH}/v2.0/me?access_token=secret`, GRAPH)).toEqual({
      path: 'me',
      version: 'v2.0',
      fields: undefined,
    })
  })

  it('belongs to the graph only if it is relative or below the URL of the graph', () => {
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

describe('a query in the Explorer', () => {
  const query = { version: 'v1.0', path: 'me/friends?limit=2', fields: 'name, posts.limit(1) {\n  message }' }

  it('is sent with its version in the path and without white space', () => {
    expect(printRequestPath(query)).toBe(
      '/v1.0/me/friends?limit=2&fields=name%2Cposts.limit%281%29%7Bmessage%7D',
    )
    expect(printRequestPath({ version: 'v1.0', path: 'me', fields: ' ' })).toBe('/v1.0/me')
    expect(printRequestPath({ version: 'v1.0', path: '?ids=1,2', fields: '' })).toBe('/v1.0/?ids=1%2C2')
    expect(printRequestPath({ version: 'v1.0', path: 'likes?ids=1', fields: '' })).toBe('/v1.0/likes?ids=1')
  })

  it('is sent without a version before one is known', () => {
    expect(printRequestPath({ version: '', path: 'me', fields: '' })).toBe('/me')
  })

  it('can be shared in the fragment of a URL', () => {
    expect(parseFragment(printFragment(query))).toEqual(query)
    expect(parseFragment(printFragment({ ...query, fields: '' }))?.fields).toBe('')
  })

  it('keeps its mode in the fragment, which is a query by default', () => {
    const fragment = printFragment(query, 'table')
    expect([parseMode(fragment), parseFragment(fragment)]).toEqual(['table', query])
    for (const other of [printFragment(query), printFragment(query, 'query'), '', '#path=me&view=else'])
      expect(parseMode(other)).toBe('query')
  })

  it('is shared without its token', () => {
    for (const path of ['me?access_token=secret', 'debug_token?input_token=secret'])
      expect(printFragment({ ...query, path })).not.toContain('secret')
    expect(printRequestPath({ ...query, path: 'debug_token?input_token=secret' })).toContain(
      'input_token=secret',
    )
  })

  it('is read from a URL without its version if the version is invalid', () => {
    for (const version of ['../../admin', 'v1', 'v1.0/..', ''])
      expect(parseFragment(`#${new URLSearchParams({ path: 'me', version })}`)).toEqual({
        path: 'me',
        fields: '',
      })
  })

  it('is not read from a fragment that contains no query', () => {
    expect(parseFragment('')).toBeUndefined()
    expect(parseFragment('#section-2')).toBeUndefined()
  })
})
