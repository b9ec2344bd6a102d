import { createGraph } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { ADA, ALAN, GRACE, SCOPES, worldStore } from '../helpers/world.ts'
import { batchAsker, type Item } from './batches.ts'
import { form, serveWorld } from './served-world.ts'

const world = await serveWorld()
const batch = batchAsker(world)

const FRIENDS: Item = { name: 'f', method: 'GET', relative_url: 'me/friends?fields=id,name' }

/** What a request that refers to Ada's friends gets. */
const bodyAfterFriends = async (item: Item) => (await batch([FRIENDS, item]))[1]?.body

describe('a reference', () => {
  it('puts all that its path leads to into the request, with commas between', async () => {
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
  ])('is read as %s', async reference => {
    expect(await bodyAfterFriends({ relative_url: `${reference}?fields=id` })).toEqual({ id: ALAN })
  })

  it('may stand in a body, several times, and beside others', async () => {
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
  ])('takes what %s leads to, which encoding does not change', async (path, ids) => {
    const reference = `{result=f:${path}}`
    for (const text of [reference, encodeURIComponent(reference)])
      expect(await bodyAfterFriends({ relative_url: `?ids=${text}&fields=id` })).toEqual(
        Object.fromEntries(ids.map(id => [id, { id }])),
      )
  })

  it('that leads nowhere puts nothing', async () => {
    for (const path of ['$.nothing', '$.data.7.id', '$.data.x', '$.__proto__.x', '$.constructor.name'])
      expect(await bodyAfterFriends({ relative_url: `me?fields={result=f:${path}}` })).toEqual({
        name: 'Ada Lovelace',
        id: ADA,
      })
  })

  it('puts text as text, whatever is in it', async () => {
    await world.graph.write([
      {
        op: 'putNode',
        node: { id: '8', type: 'group', fields: { name: '&fields=email#$& {result=a:$.id}' } },
      },
    ])
    const answers = await batch([
      { name: 'a', relative_url: '8', omit_response_on_success: false },
      { relative_url: 'me?fields={result=a:$.name}' },
    ])
    expect(answers[1]?.body.error.error_data).toMatchObject({
      reason: 'syntax',
      text: '&fields=email#$&{result=a:$.id}',
    })
  })

  it('goes through a chain of requests', async () => {
    const answers = await batch([
      { name: 'a', relative_url: 'me?fields=friends.limit(1)' },
      { name: 'b', relative_url: '{result=a:$.friends.data.0.id}?fields=friends.limit(1)' },
      { relative_url: '{result=b:$.friends.data.0.id}?fields=id' },
    ])
    expect(answers).toEqual([null, null, expect.objectContaining({ body: { id: ADA } })])
  })

  it('finds nothing in an answer without a body', async () => {
    const answers = await batch([
      { name: 'head', method: 'HEAD', relative_url: 'me' },
      { name: 'picture', relative_url: 'me/picture' },
      { relative_url: 'me?fields={result=head:$.name}{result=picture:$.data.url}' },
    ])
    expect(answers[2]?.body).toEqual({ name: 'Ada Lovelace', id: ADA })
  })
})

describe('a path that is not supported', () => {
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
  ])('rejects the whole batch before an item runs: %j', async path => {
    const store = await worldStore()
    let reads = 0
    const graph = createGraph(
      delegateStore(store, {
        read: (wave, options) => {
          if (wave.nodes.length + wave.ranges.length > 0) reads++
          return store.read(wave, options)
        },
      }),
    )
    const handler = createHandler(graph)
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
    reads = 0
    const items = [FRIENDS, { relative_url: 'me' }, { relative_url: `me?fields={result=f:${path}}` }]
    const response = await handler.answer({
      method: 'POST',
      url: '/',
      headers: { authorization: `Bearer ${token}` },
      body: `${new URLSearchParams({ batch: JSON.stringify(items) })}`,
    })
    expect(response.status).toBe(400)
    expect(JSON.parse(response.body ?? '').error).toMatchObject({
      type: 'GraphBatchException',
      error_data: { reason: 'bad_batch', index: 2, path },
    })
    expect(reads).toBe(0)
  })

  it('is one that is too long', async () => {
    const items = [FRIENDS, { relative_url: 'me', body: `{result=f:$${'.a'.repeat(200)}}` }]
    const { text } = await world.ask('/', form({ batch: JSON.stringify(items) }))
    expect(JSON.parse(text).error.error_data).toMatchObject({ reason: 'bad_batch', index: 1 })
  })

  it('is none if nothing closes the reference', async () => {
    expect(await bodyAfterFriends({ relative_url: 'me?fields=id&x={result=f:$[?' })).toEqual({ id: ADA })
  })
})

describe('the answer of a named request', () => {
  const codes = async (items: readonly Item[]) => (await batch(items)).map(answer => answer?.code ?? null)
  const user: Item = { relative_url: '{result=f:$.data.0.id}?fields=id' }

  it('is null where it was used and succeeded', async () => {
    expect(await codes([FRIENDS, user])).toEqual([null, 200])
    expect(await codes([FRIENDS, { relative_url: 'me', depends_on: 'f' }])).toEqual([null, 200])
  })

  it('is there where it is wanted, was not used, or failed', async () => {
    expect(await codes([{ ...FRIENDS, omit_response_on_success: false }, user])).toEqual([200, 200])
    expect(await codes([FRIENDS, { relative_url: 'me' }])).toEqual([200, 200])
    expect(await codes([{ ...FRIENDS, relative_url: '999' }, user])).toEqual([400, null])
  })

  it('is answered in full, also to a client that has it already', async () => {
    const [first] = await batch([FRIENDS])
    const known = { ...FRIENDS, headers: [`If-None-Match: ${first?.headers?.etag}`] }
    const [whole, friend] = await batch([{ ...known, omit_response_on_success: false }, user])
    expect([whole?.code, whole?.body, friend?.body]).toEqual([200, first?.body, { id: ALAN }])
    expect(await codes([known, user])).toEqual([null, 200])
    expect(await codes([known])).toEqual([304])
  })

  it('is left out if it says so, used or not, unless it fails', async () => {
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

  it('says by true or false whether it is left out', async () => {
    for (const value of [2, 'yes', [], {}]) {
      const items = [{ relative_url: 'me', omit_response_on_success: value }]
      const { text } = await world.ask('/', form({ batch: JSON.stringify(items) }))
      expect(JSON.parse(text).error.error_data).toEqual({
        reason: 'bad_batch',
        index: 0,
        path: 'omit_response_on_success',
      })
    }
  })

  it('that failed leaves out those that wait for it, and those that wait for them', async () => {
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

describe('references without end', () => {
  it('are refused for their number', async () => {
    const text = '{result=f:$.id}'.repeat(251)
    const { status, text: answer } = await world.ask(
      '/',
      form({ batch: JSON.stringify([FRIENDS, { relative_url: 'me', body: text }]) }),
    )
    expect(status).toBe(400)
    expect(JSON.parse(answer).error.error_data).toEqual({ reason: 'bad_batch', limit: 250 })
  })

  it('do not let a request grow past what one may be', async () => {
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
