import { describe, expect, it } from 'vitest'
import { createSnippets, type SnippetContext } from '../../../src/explorer/page/snippets/snippets.ts'

const context: SnippetContext = {
  graphUrl: 'https://api.example/graph',
  type: 'user',
  parameters: [
    { name: 'type', type: 'enum', words: ['tagged', 'uploaded'] },
    { name: 'q', type: 'string' },
    { name: 'min', type: 'int' },
    { name: 'noted', type: 'bool' },
    { name: 'from', type: 'datetime' },
  ],
  newestVersion: 'v1.0',
}
const code = (path: string, fields: string, version = 'v1.0') =>
  Object.fromEntries(
    createSnippets({ path, fields, version }, context).map(({ title, code }) => [title, code]),
  )

describe('a code snippet in the Explorer', () => {
  it('calls getMe, getNode or getEdge, as its path requires', () => {
    expect(code('me', '')['In-process']).toBe('const me = await graph.getMe(token)')
    expect(code('me', 'name')['In-process']).toBe("const me = await graph.getMe(token, { fields: 'name' })")
    expect(code('1056', 'name')['In-process']).toBe(`\
const node = await graph.getNode(token, {
  id: '1056',
  type: 'user',
  fields: 'name',
})`)
    expect(code('me/friends', '')['In-process']).toBe(
      "const page = await graph.getEdge(token, { id: 'me', edge: 'friends' })",
    )
  })

  it('calls getNodes and getEdges for several ids', () => {
    expect(code('?ids=1,2', '')['In-process']).toBe(
      "const nodes = await graph.getNodes(token, { ids: ['1', '2'] })",
    )
    expect(code('friends?ids=1,2', '')['In-process']).toBe(`\
const pages = await graph.getEdges(token, {
  ids: ['1', '2'],
  type: 'user',
  edge: 'friends',
})`)
  })

  it('uses no function or option of the library for paths and parameters that exist only over HTTP', () => {
    for (const path of ['debug_token', 'me/permissions', 'me/picture', 'openapi.json', ''])
      expect(Object.keys(code(path, ''))).toEqual(['fetch', 'curl'])
    expect(code('me?pretty=1&metadata=1', '')['In-process']).toBe(
      'const me = await graph.getMe(token, { metadata: true })',
    )
  })

  it('contains parameters as typed values, and the version if it is not the newest', () => {
    const { Client = '' } = code('1056/friends?limit=2&summary=1&after=abc', '', 'v0.9')
    for (const line of ['limit: 2,', 'summary: true,', "after: 'abc',", "version: 'v0.9',"])
      expect(Client).toContain(`\n  ${line}\n`)
    expect(Client).toContain("createClient<typeof schema>('https://api.example/graph')")
  })

  it('contains the parameters of the edge as one option with typed values', () => {
    const path = 'me/photos?type=uploaded&limit=2&min=-3&noted=1&q=7&from=2014-01-01&kind=x'
    const { 'In-process': call, Client: client = '', fetch, curl } = code(path, '')
    const options = `  parameters: { type: 'uploaded', min: -3, noted: true, q: '7', from: '2014-01-01' },
  limit: 2,
`
    expect(call).toContain(options)
    expect(client).toContain(options)
    for (const text of [fetch, curl]) expect(text).toContain('/me/photos?type=uploaded&limit=2&min=-3')
    expect(code('me?type=uploaded', '')['In-process']).toBe('const me = await graph.getMe(token)')
  })

  it('has a placeholder instead of the token', () => {
    const { fetch, curl } = code('me', 'name')
    for (const text of Object.values(code('debug_token?input_token=secret', '')))
      expect(text).not.toContain('secret')
    expect(fetch).toContain("fetch('https://api.example/graph/v1.0/me?fields=name', {")
    expect(fetch).toContain('Authorization: `Bearer ${' + 'token}`')
    expect(curl).toBe(`\
curl 'https://api.example/graph/v1.0/me?fields=name' \\
  -H "Authorization: Bearer $TOKEN"`)
  })

  it('escapes quotes', () => {
    const { 'In-process': call, curl } = code('me', `posts.since("it's")`)
    expect(call).toContain(String.raw`it\'s`)
    expect(curl?.split("'")).toHaveLength(3)
  })
})
