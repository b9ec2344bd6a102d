import { describe, expect, it } from 'vitest'
import { computeProof } from '../../src/access/proof.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { ADA, ALAN, GRACE } from '../helpers/world.ts'
import { createBatchSender, parseBatchResponse } from './batch-requests.ts'
import { createFormRequest, createJsonRequest, ORIGIN, parseJson, serveWorld } from './served-world.ts'

const world = await serveWorld()
const { sendAsAda, send, graph, token } = world
const batch = createBatchSender(world)

const bodies = async (items: readonly unknown[]) => (await batch(items)).map(item => item?.body)

describe('a batch', () => {
  it('returns one response per request, in order, even if others fail', async () => {
    const responses = await batch([
      { method: 'GET', relative_url: `${GRACE}?fields=id` },
      { method: 'GET', relative_url: '999' },
      { method: 'DELETE', relative_url: 'me' },
      { method: 'GET', relative_url: 'me?fields=id' },
    ])
    expect(responses.map(response => response?.code)).toEqual([200, 400, 400, 200])
    expect(responses[0]?.body).toEqual({ id: GRACE })
    expect(responses[1]?.body.error.error_data.reason).toBe('node_not_found')
    expect(responses[2]?.body.error.error_data.reason).toBe('method_not_supported')
    expect(responses[3]?.body).toEqual({ id: ADA })
  })

  it('rejects requests for openapi.json and for the default picture', async () => {
    for (const relative_url of [
      'openapi.json',
      'v1.0/openapi.json',
      '/default-picture.svg',
      'default-picture.svg/',
    ])
      for (const method of ['GET', 'HEAD', 'POST']) {
        const [response] = await batch([{ method, relative_url }])
        expect([relative_url, response?.code]).toEqual([relative_url, 400])
        if (method === 'GET')
          expect(response?.body.error).toMatchObject({
            message: expect.stringContaining('separately'),
            error_data: { reason: 'invalid_batch' },
          })
      }
  })

  it('is read from a form with or without a content type, JSON, text in JSON, or the query', async () => {
    const items = [{ method: 'get', relative_url: 'me?fields=id', unknown: 1 }]
    const text = JSON.stringify(items)
    for (const [path, init] of [
      ['/', createFormRequest({ batch: text })],
      ['/', { method: 'POST', body: new TextEncoder().encode(`batch=${encodeURIComponent(text)}`) }],
      ['/', createJsonRequest({ batch: items })],
      ['/', createJsonRequest({ batch: text })],
      [`/?batch=${encodeURIComponent(text)}`, { method: 'POST' }],
      ['/v1.0', createFormRequest({ batch: text })],
      ['/v1.0/', createFormRequest({ batch: text })],
      ['/me', createFormRequest({ batch: text })],
      ['/v1.0/me/', createJsonRequest({ batch: items })],
      ['', createFormRequest({ batch: text })],
    ] as const) {
      expect(parseBatchResponse(await sendAsAda(path, init))).toMatchObject([
        { code: 200, body: { id: ADA } },
      ])
    }
  })

  it('accepts paths that begin with a slash, a version, an origin or none of them', async () => {
    const paths = ['me', '/me', 'v1.0/me', '/v1.0/me/', `${ORIGIN}/me`, '?id=me', `?ids=me`]
    for (const body of await bodies(paths.map(path => ({ relative_url: path }))))
      expect(body.me ?? body).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('reads the bodies of its requests as forms', async () => {
    expect(
      await bodies([
        { method: 'POST', relative_url: 'me', body: 'method=get&fields=id' },
        { method: 'POST', relative_url: 'me?fields=id&method=get' },
      ]),
    ).toEqual([{ id: ADA }, { id: ADA }])
  })

  it('can be empty', async () => {
    expect(await batch([])).toEqual([])
  })

  it('applies its version and its token to requests without their own', async () => {
    const items = [{ relative_url: 'me/photos?limit=1' }, { relative_url: 'v1.0/me/photos?limit=1' }]
    const init = createFormRequest({ batch: JSON.stringify(items), access_token: token })
    const [inherited, own] = parseBatchResponse(await send('/v1.0', init))
    expect(inherited?.body).toEqual(own?.body)
    expect(new URL(inherited?.body.paging.next).pathname).toBe(`/v1.0/${ADA}/photos`)
  })

  it('lets requests have their own tokens', async () => {
    const grace = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })
    const alan = await graph.tokens.issue({ viewer: ALAN, app: 'demo' })
    expect(
      await bodies([
        { relative_url: 'me?fields=id' },
        { relative_url: `me?fields=id&access_token=${grace}` },
        { method: 'POST', relative_url: 'me', body: `method=get&fields=id&access_token=${grace}` },
        { relative_url: 'me?fields=id', headers: [`Authorization: Bearer ${alan}`] },
        { relative_url: 'me?fields=id', headers: [{ name: 'Authorization', value: `OAuth ${alan}` }] },
      ]),
    ).toEqual([ADA, GRACE, GRACE, ALAN, ALAN].map(id => ({ id })))
  })

  it('checks its proof of possession only for requests without their own token', async () => {
    const grace = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })
    const items = [{ relative_url: 'me?fields=id' }, { relative_url: `me?fields=id&access_token=${grace}` }]
    const proof = computeProof(token, 'the secret of demo')
    const responses = await batch(items, { appsecret_proof: proof })
    expect(responses.map(response => response?.body)).toEqual([{ id: ADA }, { id: GRACE }])
    expect((await batch(items, { appsecret_proof: '0' })).map(response => response?.code)).toEqual([400, 200])
  })

  it('fails as a whole if its own token is invalid, even if its requests have valid ones', async () => {
    const grace = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })
    const items = [{ relative_url: `me?access_token=${grace}` }]
    const { error } = parseJson(
      await send('/', createFormRequest({ batch: JSON.stringify(items), access_token: 'wrong' })),
    )
    expect(error).toMatchObject({ code: 190, error_data: { reason: 'token_invalid' } })
  })

  it('returns an error for each request without any token', async () => {
    const [one] = parseBatchResponse(await send('/', createFormRequest({ batch: '[{"relative_url":"me"}]' })))
    expect(one?.body.error.code).toBe(104)
  })
})

describe('headers in a batch', () => {
  it('are returned with each response unless include_headers is false', async () => {
    const [good, bad] = await batch([{ relative_url: 'me' }, { relative_url: '999' }])
    expect(good?.headers).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      etag: expect.stringMatching(/^"/),
      'facebook-api-version': 'v1.0',
    })
    expect(bad?.headers).toMatchObject({
      'www-authenticate': expect.stringContaining('invalid_request'),
      'x-fb-trace-id': bad?.body.error.fbtrace_id,
    })
    for (const no of ['false', '0'])
      expect((await batch([{ relative_url: 'me' }], { include_headers: no }))[0]?.headers).toBeUndefined()
  })

  it('apply to their request as an object, a list of objects, a list of lines, or one line', async () => {
    const etag = (await sendAsAda('/me')).headers.get('etag')
    const forms = [
      { 'If-None-Match': etag },
      [{ name: 'if-none-match', value: etag }],
      [`If-None-Match: ${etag}`],
      `If-None-Match:${etag}`,
      // Headers with the same name are joined.
      ['If-None-Match: "other"', { name: 'If-None-Match', value: etag }],
    ]
    const responses = await batch(forms.map(headers => ({ relative_url: 'me', headers })))
    expect(responses.map(response => [response?.code, response?.body])).toEqual(
      forms.map(() => [304, undefined]),
    )
  })

  it('are optional for a request', async () => {
    const forms = [undefined, null, [], {}]
    const responses = await batch(forms.map(headers => ({ relative_url: 'me', headers })))
    expect(responses.map(response => response?.code)).toEqual([200, 200, 200, 200])
  })

  it.each([
    [1],
    [true],
    ['If-None-Match'],
    ['no name: x'],
    [': x'],
    ['a: b\r\nc: d'],
    [['If-None-Match']],
    [[1]],
    [[null]],
    [[[]]],
    [[{}]],
    [[{ name: 'a' }]],
    [[{ name: 1, value: 'x' }]],
    [[{ name: 'a', value: 2 }]],
    [[{ name: 'a:b', value: 'x' }]],
    [{ a: 1 }],
    [{ a: null }],
    [{ a: ['x'] }],
    [{ '': 'x' }],
    [{ a: 'b\nc' }],
  ])('make the batch fail if they are invalid: %j', async headers => {
    const items = [{ relative_url: 'me' }, { relative_url: 'me', headers }]
    const { error } = parseJson(await sendAsAda('/', createFormRequest({ batch: JSON.stringify(items) })))
    expect(error.error_data).toEqual({ reason: 'invalid_batch', index: 1, path: 'headers' })
  })

  it('have at most 16,384 characters per request', async () => {
    const items = [{ relative_url: 'me', headers: { a: 'x'.repeat(16_384) } }]
    const { error } = parseJson(await sendAsAda('/', createFormRequest({ batch: JSON.stringify(items) })))
    expect(error.error_data).toEqual({ reason: 'invalid_batch', index: 0, path: 'headers', limit: 16_384 })
  })

  it('are not repeated in an error', async () => {
    const items = [{ relative_url: 'me', headers: 'Authorization: Bearer hidden\n' }]
    expect((await sendAsAda('/', createFormRequest({ batch: JSON.stringify(items) }))).text).not.toContain(
      'hidden',
    )
  })

  it('contain the location of a picture, whose response has no body', async () => {
    const [picture] = await batch([{ relative_url: 'me/picture' }])
    expect(picture).toMatchObject({ code: 302, body: undefined })
    expect(picture?.headers?.location).toBe('https://img.example/ada/50.jpg')
  })
})

describe('an invalid batch', () => {
  const readError = async (text: string) =>
    parseJson(await sendAsAda('/', createFormRequest({ batch: text }))).error

  it.each([
    ['not JSON', '{'],
    ['empty text', ''],
    ['an object', '{}'],
    ['a list of numbers', '[1]'],
    ['a list of lists', '[[]]'],
    ['a list of null', '[null]'],
    ['no path', '[{"url":"me"}]'],
    ['a path that is not a string', '[{"relative_url":1}]'],
    ['a body that is not a string', '[{"relative_url":"me","body":{}}]'],
    ['a method that is not a string', '[{"relative_url":"me","method":[]}]'],
    ['a name that is not a string', '[{"relative_url":"me","name":7}]'],
    ['a flag that is not a boolean', '[{"relative_url":"me","omit_response_on_success":"maybe"}]'],
    [
      'two requests with the same name',
      '[{"relative_url":"me","name":"a"},{"relative_url":"me","name":"a"}]',
    ],
    [
      'a dependency on a later request',
      '[{"relative_url":"me","depends_on":"b"},{"relative_url":"me","name":"b"}]',
    ],
    ['a dependency on itself', '[{"relative_url":"{result=a:$.id}","name":"a"}]'],
    ['a dependency on a name that does not exist', '[{"relative_url":"{result=who:$.id}"}]'],
    ['a dependency on a key that all objects have', '[{"relative_url":"me","depends_on":"constructor"}]'],
  ])('is rejected: %s', async (_, text) => {
    expect(await readError(text)).toMatchObject({
      code: 100,
      type: 'GraphBatchException',
      error_data: { reason: 'invalid_batch' },
    })
  })

  it.each([
    ['[', '"batch" must be a JSON array of requests; received JSON with a syntax error'],
    [
      '{"relative_url":"me"}',
      '"batch" must be a JSON array of requests; received an object with relative_url',
    ],
    ['"me?access_token=hidden"', '"batch" must be a JSON array of requests; received another value'],
    [
      '[{"relative_url":"me"},{"url":"me"}]',
      'Request 1 of the batch: "relative_url" must be a string; received undefined',
    ],
  ])('says what was received: %s', async (text, message) => {
    expect((await readError(text)).message).toBe(`(#100) ${message}`)
  })

  it('is rejected if it has more than 50 requests', async () => {
    const items = Array.from({ length: 51 }, () => ({ relative_url: 'me' }))
    expect(await readError(JSON.stringify(items))).toMatchObject({
      type: 'GraphBatchException',
      message: '(#100) Too many requests in batch message. Maximum batch size is 50',
      error_data: { reason: 'batch_too_large', limit: 50, received: 51 },
    })
    expect(await batch(items.slice(1), { include_headers: '0' })).toHaveLength(50)
  })

  it('is rejected if include_headers is not a boolean', async () => {
    const { error } = parseJson(
      await sendAsAda('/', createFormRequest({ batch: '[]', include_headers: 'maybe' })),
    )
    expect(error.error_data.parameter).toBe('include_headers')
  })
})

describe('the time limit of a batch', () => {
  it('applies to all requests together: unfinished ones are null, the others are returned', async () => {
    let isHanging = false
    const deadlines = new Set<number | undefined>()
    const limited = await serveWorld({
      graph: { limits: { timeoutMs: 500 } },
      wrap: store =>
        delegateStore(store, {
          read(request, options) {
            if (!isHanging) return store.read(request, options)
            deadlines.add(options.deadline)
            return request.nodes.includes(ADA) ? new Promise(() => undefined) : store.read(request, options)
          },
        }),
    })
    isHanging = true
    const responses = await createBatchSender(limited)([
      { relative_url: `${GRACE}?fields=id`, name: 'quick', omit_response_on_success: false },
      { relative_url: `${ADA}?fields=friends{likes{likes}}` },
      { relative_url: `${ADA}?fields=id`, depends_on: 'quick' },
    ])
    expect(responses[0]?.body).toEqual({ id: GRACE })
    expect(responses.slice(1)).toEqual([null, null])
    expect(deadlines.size).toBe(1)
  })
})
