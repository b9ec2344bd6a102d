import { describe, expect, it } from 'vitest'
import { createActionSnippets } from '../../../src/explorer/page/snippets/action-snippets.ts'
import { createCall } from './action-world.ts'

const GRAPH_URL = 'https://api.example/graph'

const codeOf = (...[name, call]: Parameters<typeof createCall>) =>
  Object.fromEntries(
    createActionSnippets(createCall(name, call), GRAPH_URL, 'v1.0').map(({ title, code }) => [title, code]),
  )

const call = { values: { target: '9', role: "It's\nlate" }, key: 'k-1', fields: 'id' }

describe('a code snippet of an action in the Explorer', () => {
  it('sends the request with curl', () => {
    expect(codeOf('members.add', call).curl).toBe(`\
curl -X POST 'https://api.example/graph/v1.0/7/members?fields=id' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: k-1' \\
  -d '{"target":"9","role":"It'\\''s\\nlate"}'`)
    expect(codeOf('close').curl).toBe(`\
curl -X POST 'https://api.example/graph/v1.0/7/close' \\
  -H "Authorization: Bearer $TOKEN"`)
  })

  it('is the item of a batch with the same request', () => {
    expect(JSON.parse(codeOf('members.add', call)['Item of a batch'] ?? '')).toEqual({
      method: 'POST',
      relative_url: 'v1.0/7/members?fields=id',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k-1' },
      body: JSON.stringify(call.values),
    })
    expect(JSON.parse(codeOf('delete')['Item of a batch'] ?? '')).toEqual({
      method: 'DELETE',
      relative_url: 'v1.0/7',
    })
  })

  it('calls the action with the client', () => {
    const { Client: code } = codeOf('members.add', call)
    expect(code).toBe(`\
import { createClient } from 'kithgraph/client'
import type { actions } from './actions.ts'
import type { schema } from './schema.ts'

const client = createClient<typeof schema, typeof actions>('https://api.example/graph')
const result = await client.callAction(token, {
  type: 'club',
  id: '7',
  action: 'members.add',
  parameters: { target: '9', role: 'It\\'s\\nlate' },
  fields: 'id',
  idempotencyKey: 'k-1',
})`)
  })

  it('names no type for the root, and writes values of all types as TypeScript', () => {
    const values = { a: [1, { 'b-c': null }], d: {}, e: 'C:\\"x"' }
    expect(codeOf('people.add', { values }).Client).toContain(`\
const result = await client.callAction(token, {
  id: 'root',
  action: 'people.add',
  parameters: { a: [1, { 'b-c': null }], d: {}, e: 'C:\\\\"x"' },
})`)
  })

  it('has long parameters in lines of their own', () => {
    const values = { target: '9', role: 'x'.repeat(80) }
    expect(codeOf('members.add', { values }).Client).toContain(`\
  parameters: {
    target: '9',
    role: '${'x'.repeat(80)}',
  },
})`)
  })
})
