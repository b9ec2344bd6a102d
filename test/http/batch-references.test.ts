import { createGraph } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { ADA, ALAN, createWorldStore, GRACE, SCOPES } from '../helpers/world.ts'
import { type BatchItem, createBatchSender } from './batch-requests.ts'
import { createFormRequest, serveWorld } from './served-world.ts'

const world = await serveWorld()
const batch = createBatchSender(world)

const FRIENDS: BatchItem = { name: 'f', method: 'GET', relative_url: 'me/friends?fields=id,name' }

/** Returns the response body of a request that refers to Ada's friends. */
const bodyAfterFriends = async (item: BatchItem) => (await batch([FRIENDS, item]))[1]?.body

describe('a JSONPath reference in a batch', () => {
  it('inserts all values that its path selects, separated by commas', async () => {
    expect(await bodyAfterFriends({ relative_url: '?ids={result=f:$.data.*.id}&fields=id' })).toEqual({
      [ALAN]: { id: ALAN },
      [GRACE]: { id: GRACE },
    })
  })

  it.each([
    '{result=f:$.data.0.id}',
    '{result=f:$.data[0].id}',
    "{result=f:$['data'][0]['id']}",
    '{result=f:$["data"][0]["id"]}',
    '%7Bresult%3Df%3A%24.data.0.id%7D',
    '%7bresult=f:$.data.0.id%7d',
    encodeURIComponent('{result=f:$.data.0.id}'),
  ])('is recognized in the form %s', async reference => {
    expect(await bodyAfterFriends({ relative_url: `${reference}?fields=id` })).toEqual({ id: ALAN })
  })

  it('can be used in a body, repeatedly and next to others', async () => {
    const body =
      'method=get&ids={result=f:$.data.1.id},{result=f:$.data.0.id},{result=f:$.data.1.id}&fields=id'
    expect(await bodyAfterFriends({ method: 'POST', relative_url: '', body })).toEqual({
      [GRACE]: { id: GRACE },
      [ALAN]: { id: ALAN },
    })
  })

  it.each([
    ['$..id', [ALAN, GRACE]],
    ['$.data[0:1].id', [ALAN]],
    ['$.data[-1:].id', [GRACE]],
    ['$.data[1,0].id', [GRACE, ALAN]],
    ["$.data[0]['id']", [ALAN]],
  ])('inserts the values that %s selects, encoded or not', async (path, ids) => {
    const reference = `{result=f:${path}}`
    for (const text of [reference, encodeURIComponent(reference)])
      expect(await bodyAfterFriends({ relative_url: `?ids=${text}&fields=id` })).toEqual(
        Object.fromEntries(ids.map(id => [id, { id }])),
      )
  })

  it('inserts nothing if its path selects nothing', async () => {
    for (const path of ['$.nothing', '$.data.7.id', '$.data.x', '$.__proto__.x', '$.constructor.name'])
      expect(await bodyAfterFriends({ relative_url: `me?fields={result=f:${path}}` })).toEqual({
        name: 'Ada Lovelace',
        id: ADA,
      })
  })

  it('inserts text literally, whatever it contains', async () => {
    await world.graph.write([
      {
        op: 'putNode',
        node: { id: '8', type: 'group', fields: { name: '&fields=email#$& {result=a:$.id}' } },
      },
    ])
    const responses = await batch([
      { name: 'a', relative_url: '8', omit_response_on_success: false },
      { relative_url: 'me?fields={result=a:$.name}' },
    ])
    expect(responses[1]?.body.error.error_data).toMatchObject({
      reason: 'invalid_syntax',
      text: '&fields=email#$&{result=a:$.id}',
    })
  })

  it('inserts values with the escapes of a JSON string, and without quotes, into a body that is JSON', async () => {
    const name = 'a "quoted" \\ text,\n}{ ü \u2028'
    await world.graph.write([{ op: 'putNode', node: { id: '9', type: 'group', fields: { name } } }])
    const headers = { 'Content-Type': 'application/json; charset=utf-8' }
    const item = (body: string) => ({ method: 'POST', relative_url: 'me', headers, body })
    const responses = await batch([
      { name: 'a', relative_url: '9', omit_response_on_success: false },
      item('{"method":"get","partial":"{result=a:$.name}"}'),
      item('{"method":"get","partial":"{result=a:$[\\"id\\"]},{result=a:$.nothing}"}'),
      item('{"method":"get","partial":"%7Bresult=a:$.id%7D"}'),
    ])
    const texts = responses.slice(1).map(response => JSON.parse(response?.body.error.error_data.received))
    expect(texts).toEqual([name, '9,', '%7Bresult=a:$.id%7D'])
  })

  it('can refer to a request that has a reference itself', async () => {
    const responses = await batch([
      { name: 'a', relative_url: 'me?fields=friends.limit(1)' },
      { name: 'b', relative_url: '{result=a:$.friends.data.0.id}?fields=friends.limit(1)' },
      { relative_url: '{result=b:$.friends.data.0.id}?fields=id' },
    ])
    expect(responses).toEqual([null, null, expect.objectContaining({ body: { id: ADA } })])
  })

  it('inserts nothing from a response without a body', async () => {
    const responses = await batch([
      { name: 'head', method: 'HEAD', relative_url: 'me' },
      { name: 'picture', relative_url: 'me/picture' },
      { relative_url: 'me?fields={result=head:$.name}{result=picture:$.data.url}' },
    ])
    expect(responses[2]?.body).toEqual({ name: 'Ada Lovelace', id: ADA })
  })
})

describe('the JSONPath of a batch reference', () => {
  it.each([
    '$.data[?(@.id)].id',
    '$.data.length()',
    'data.id',
    '$data',
    '$.',
    '',
    '$.data[0',
    '$.a b',
    '$...id',
  ])('makes the batch fail before a request runs if it is not supported: %j', async path => {
    const store = await createWorldStore()
    let reads = 0
    const graph = createGraph(
      delegateStore(store, {
        read: (request, options) => {
          if (request.nodes.length + request.ranges.length > 0) reads++
          return store.read(request, options)
        },
      }),
    )
    const handler = createHandler(graph)
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
    reads = 0
    const items = [FRIENDS, { relative_url: 'me' }, { relative_url: `me?fields={result=f:${path}}` }]
    const response = await handler.respond({
      method: 'POST',
      url: '/',
      headers: { authorization: `Bearer ${token}` },
      body: `${new URLSearchParams({ batch: JSON.stringify(items) })}`,
    })
    expect(response.status).toBe(400)
    expect(JSON.parse(response.body ?? '').error).toMatchObject({
      type: 'GraphBatchException',
      error_data: { reason: 'invalid_batch', index: 2, path },
    })
    expect(reads).toBe(0)
  })

  it('makes the batch fail if it is too long', async () => {
    const items = [FRIENDS, { relative_url: 'me', body: `{result=f:$${'.a'.repeat(200)}}` }]
    const { text } = await world.sendAsAda('/', createFormRequest({ batch: JSON.stringify(items) }))
    expect(JSON.parse(text).error.error_data).toMatchObject({ reason: 'invalid_batch', index: 1 })
  })

  it('is ordinary text if the reference has no closing brace', async () => {
    expect(await bodyAfterFriends({ relative_url: 'me?fields=id&x={result=f:$[?' })).toEqual({ id: ADA })
  })
})

describe('the response to a named request of a batch', () => {
  const codes = async (items: readonly BatchItem[]) =>
    (await batch(items)).map(response => response?.code ?? null)
  const user: BatchItem = { relative_url: '{result=f:$.data.0.id}?fields=id' }

  it('is null if it succeeded and another request depends on it', async () => {
    expect(await codes([FRIENDS, user])).toEqual([null, 200])
    expect(await codes([FRIENDS, { relative_url: 'me', depends_on: 'f' }])).toEqual([null, 200])
  })

  it('is returned if omit_response_on_success is false, if it was not used, or if it failed', async () => {
    expect(await codes([{ ...FRIENDS, omit_response_on_success: false }, user])).toEqual([200, 200])
    expect(await codes([FRIENDS, { relative_url: 'me' }])).toEqual([200, 200])
    expect(await codes([{ ...FRIENDS, relative_url: '999' }, user])).toEqual([400, null])
  })

  it('has status 304 for a matching ETag only if no other request uses it', async () => {
    const [first] = await batch([FRIENDS])
    const known = { ...FRIENDS, headers: [`If-None-Match: ${first?.headers?.etag}`] }
    const [whole, friend] = await batch([{ ...known, omit_response_on_success: false }, user])
    expect([whole?.code, whole?.body, friend?.body]).toEqual([200, first?.body, { id: ALAN }])
    expect(await codes([known, user])).toEqual([null, 200])
    expect(await codes([known])).toEqual([304])
  })

  it('is null if omit_response_on_success is true, unless the request failed', async () => {
    const omitted = (relative_url: string, value: unknown) => ({
      relative_url,
      omit_response_on_success: value,
    })
    expect(
      await codes([
        omitted('me', true),
        omitted('me', 'true'),
        omitted('999', true),
        omitted('me', false),
        omitted('me', 'false'),
        omitted('me', null),
      ]),
    ).toEqual([null, null, 400, 200, 200, 200])
    expect(await codes([{ ...FRIENDS, omit_response_on_success: true }, user])).toEqual([null, 200])
  })

  it('is an error if omit_response_on_success is not a boolean', async () => {
    for (const value of [2, 'yes', [], {}]) {
      const items = [{ relative_url: 'me', omit_response_on_success: value }]
      const { text } = await world.sendAsAda('/', createFormRequest({ batch: JSON.stringify(items) }))
      expect(JSON.parse(text).error.error_data).toEqual({
        reason: 'invalid_batch',
        index: 0,
        path: 'omit_response_on_success',
      })
    }
  })

  it('makes all direct and indirect dependents null if it is an error', async () => {
    expect(
      await codes([
        { name: 'a', relative_url: '999' },
        { name: 'b', relative_url: 'me', depends_on: 'a' },
        { relative_url: 'me', depends_on: 'b' },
        { relative_url: 'me' },
      ]),
    ).toEqual([400, null, null, 200])
  })
})

describe('the limits of batch references', () => {
  it('reject a batch with more than 250 references', async () => {
    const text = '{result=f:$.id}'.repeat(251)
    const { status, text: response } = await world.sendAsAda(
      '/',
      createFormRequest({ batch: JSON.stringify([FRIENDS, { relative_url: 'me', body: text }]) }),
    )
    expect(status).toBe(400)
    expect(JSON.parse(response).error.error_data).toEqual({ reason: 'invalid_batch', limit: 250 })
  })

  it('reject a request whose inserted values exceed the size limits of a request', async () => {
    const photos = { name: 'p', relative_url: 'me/photos?limit=100' }
    const many = '{result=p:$}'.repeat(240)
    const [, inUrl] = await batch([photos, { relative_url: `me?x=${many}` }])
    expect(inUrl).toMatchObject({
      code: 413,
      body: { error: { error_data: { reason: 'request_too_large' } } },
    })
    const [, inBody] = await batch([photos, { method: 'POST', relative_url: 'me', body: `x=${many}` }])
    expect(inBody).toMatchObject({ code: 413, body: { error: { error_data: { limit: 1_048_576 } } } })
  })
})
