import { describe, expect, it } from 'vitest'
import { proofOf } from '../../src/access/proof.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { ADA, ALAN, GRACE } from '../helpers/world.ts'
import { batchAsker, itemsOf } from './batches.ts'
import { form, json, jsonOf, ORIGIN, serveWorld } from './served-world.ts'

const world = await serveWorld()
const { ask, send, graph, token } = world
const batch = batchAsker(world)

const bodies = async (items: readonly unknown[]) => (await batch(items)).map(item => item?.body)

describe('a batch', () => {
  it('answers each request in its place, whatever becomes of the others', async () => {
    const answers = await batch([
      { method: 'GET', relative_url: `${GRACE}?fields=id` },
      { method: 'GET', relative_url: '999' },
      { method: 'DELETE', relative_url: 'me' },
      { method: 'GET', relative_url: 'me?fields=id' },
    ])
    expect(answers.map(answer => answer?.code)).toEqual([200, 400, 400, 200])
    expect(answers[0]?.body).toEqual({ id: GRACE })
    expect(answers[1]?.body.error.error_data.reason).toBe('node_missing')
    expect(answers[2]?.body.error.error_data.reason).toBe('method_not_supported')
    expect(answers[3]?.body).toEqual({ id: ADA })
  })

  it('reads nodes and edges: what takes no token is asked for alone', async () => {
    for (const relative_url of ['openapi.json', 'v1.0/openapi.json', '/silhouette.svg', 'silhouette.svg/'])
      for (const method of ['GET', 'HEAD', 'POST']) {
        const [answer] = await batch([{ method, relative_url }])
        expect([relative_url, answer?.code]).toEqual([relative_url, 400])
        if (method === 'GET')
          expect(answer?.body.error).toMatchObject({
            message: expect.stringContaining('asked for alone'),
            error_data: { reason: 'bad_batch' },
          })
      }
  })

  it('may come as a form, with a type or without, as JSON, as JSON in JSON, or in the query', async () => {
    const items = [{ method: 'get', relative_url: 'me?fields=id', unknown: 1 }]
    const text = JSON.stringify(items)
    for (const [path, init] of [
      ['/', form({ batch: text })],
      ['/', { method: 'POST', body: new TextEncoder().encode(`batch=${encodeURIComponent(text)}`) }],
      ['/', json({ batch: items })],
      ['/', json({ batch: text })],
      [`/?batch=${encodeURIComponent(text)}`, { method: 'POST' }],
      ['/v1.0', form({ batch: text })],
      ['/v1.0/', form({ batch: text })],
      ['/me', form({ batch: text })],
      ['/v1.0/me/', json({ batch: items })],
      ['', form({ batch: text })],
    ] as const) {
      expect(itemsOf(await ask(path, init))).toMatchObject([{ code: 200, body: { id: ADA } }])
    }
  })

  it('takes paths with a slash, a version or an origin in front, and none', async () => {
    const paths = ['me', '/me', 'v1.0/me', '/v1.0/me/', `${ORIGIN}/me`, '?id=me', `?ids=me`]
    for (const body of await bodies(paths.map(path => ({ relative_url: path }))))
      expect(body.me ?? body).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('takes forms as the bodies of its requests', async () => {
    expect(
      await bodies([
        { method: 'POST', relative_url: 'me', body: 'method=get&fields=id' },
        { method: 'POST', relative_url: 'me?fields=id&method=get' },
      ]),
    ).toEqual([{ id: ADA }, { id: ADA }])
  })

  it('may be empty', async () => {
    expect(await batch([])).toEqual([])
  })

  it('lends its version and its token to requests without', async () => {
    const items = [{ relative_url: 'me/photos?limit=1' }, { relative_url: 'v1.0/me/photos?limit=1' }]
    const init = form({ batch: JSON.stringify(items), access_token: token })
    const [inherited, own] = itemsOf(await send('/v1.0', init))
    expect(inherited?.body).toEqual(own?.body)
    expect(new URL(inherited?.body.paging.next).pathname).toBe(`/v1.0/${ADA}/photos`)
  })

  it('lets requests bring tokens of their own', async () => {
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

  it('does not hold requests with tokens of their own to the proof of its token', async () => {
    const grace = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })
    const items = [{ relative_url: 'me?fields=id' }, { relative_url: `me?fields=id&access_token=${grace}` }]
    const proof = proofOf(token, 'the secret of demo')
    const answers = await batch(items, { appsecret_proof: proof })
    expect(answers.map(answer => answer?.body)).toEqual([{ id: ADA }, { id: GRACE }])
    expect((await batch(items, { appsecret_proof: '0' })).map(answer => answer?.code)).toEqual([400, 200])
  })

  it('is not run for a token of its own that is wrong, whatever its items have', async () => {
    const grace = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })
    const items = [{ relative_url: `me?access_token=${grace}` }]
    const { error } = jsonOf(await send('/', form({ batch: JSON.stringify(items), access_token: 'wrong' })))
    expect(error).toMatchObject({ code: 190, error_data: { reason: 'token_unknown' } })
  })

  it('fails in each request where nobody brings a token', async () => {
    const [one] = itemsOf(await send('/', form({ batch: '[{"relative_url":"me"}]' })))
    expect(one?.body.error.code).toBe(104)
  })
})

describe('the headers of a batch', () => {
  it('are those of each answer, unless nobody wants them', async () => {
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

  it('that an item has count for it: an object, objects, lines, or one line', async () => {
    const etag = (await ask('/me')).headers.get('etag')
    const forms = [
      { 'If-None-Match': etag },
      [{ name: 'if-none-match', value: etag }],
      [`If-None-Match: ${etag}`],
      `If-None-Match:${etag}`,
      // Those of one name are one.
      ['If-None-Match: "other"', { name: 'If-None-Match', value: etag }],
    ]
    const answers = await batch(forms.map(headers => ({ relative_url: 'me', headers })))
    expect(answers.map(answer => [answer?.code, answer?.body])).toEqual(forms.map(() => [304, undefined]))
  })

  it('that an item has may be left out', async () => {
    const forms = [undefined, null, [], {}]
    const answers = await batch(forms.map(headers => ({ relative_url: 'me', headers })))
    expect(answers.map(answer => answer?.code)).toEqual([200, 200, 200, 200])
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
  ])('that an item has are never dropped: %j is an error', async headers => {
    const items = [{ relative_url: 'me' }, { relative_url: 'me', headers }]
    const { error } = jsonOf(await ask('/', form({ batch: JSON.stringify(items) })))
    expect(error.error_data).toEqual({ reason: 'bad_batch', index: 1, path: 'headers' })
  })

  it('that an item has are as long as those of a request may be', async () => {
    const items = [{ relative_url: 'me', headers: { a: 'x'.repeat(16_384) } }]
    const { error } = jsonOf(await ask('/', form({ batch: JSON.stringify(items) })))
    expect(error.error_data).toEqual({ reason: 'bad_batch', index: 0, path: 'headers', limit: 16_384 })
  })

  it('that an item has show no secret in an error', async () => {
    const items = [{ relative_url: 'me', headers: 'Authorization: Bearer hidden\n' }]
    expect((await ask('/', form({ batch: JSON.stringify(items) }))).text).not.toContain('hidden')
  })

  it('let a picture send on, without a body', async () => {
    const [picture] = await batch([{ relative_url: 'me/picture' }])
    expect(picture).toMatchObject({ code: 302, body: undefined })
    expect(picture?.headers?.location).toBe('https://img.example/ada/50.jpg')
  })
})

describe('a batch that cannot be run', () => {
  const faultOf = async (text: string) => jsonOf(await ask('/', form({ batch: text }))).error

  it.each([
    ['no JSON', '{'],
    ['empty', ''],
    ['no list', '{}'],
    ['a list of others', '[1]'],
    ['of lists', '[[]]'],
    ['of null', '[null]'],
    ['of paths that are no text', '[{"relative_url":1}]'],
    ['of bodies that are no text', '[{"relative_url":"me","body":{}}]'],
    ['of methods that are no text', '[{"relative_url":"me","method":[]}]'],
    ['of names that are no text', '[{"relative_url":"me","name":7}]'],
    ['of flags that are none', '[{"relative_url":"me","omit_response_on_success":"maybe"}]'],
    ['of two requests of one name', '[{"relative_url":"me","name":"a"},{"relative_url":"me","name":"a"}]'],
    ['waiting for one behind', '[{"relative_url":"me","depends_on":"b"},{"relative_url":"me","name":"b"}]'],
    ['waiting for itself', '[{"relative_url":"{result=a:$.id}","name":"a"}]'],
    ['waiting for nobody', '[{"relative_url":"{result=who:$.id}"}]'],
    ['waiting for a key that all objects have', '[{"relative_url":"me","depends_on":"constructor"}]'],
  ])('is %s', async (_, text) => {
    expect(await faultOf(text)).toMatchObject({
      code: 100,
      type: 'GraphBatchException',
      error_data: { reason: 'bad_batch' },
    })
  })

  it('has more requests than fifty', async () => {
    const items = Array.from({ length: 51 }, () => ({ relative_url: 'me' }))
    expect(await faultOf(JSON.stringify(items))).toMatchObject({
      type: 'GraphBatchException',
      message: '(#100) Too many requests in batch message. Maximum batch size is 50',
      error_data: { reason: 'too_many_batch_items', limit: 50, came: 51 },
    })
    expect(await batch(items.slice(1), { include_headers: '0' })).toHaveLength(50)
  })

  it('has a flag that is none', async () => {
    const { error } = jsonOf(await ask('/', form({ batch: '[]', include_headers: 'maybe' })))
    expect(error.error_data.parameter).toBe('include_headers')
  })
})

describe('the time of a batch', () => {
  it('is one for all: what is not done by then is null, and the rest is answered', async () => {
    let isMute = false
    const deadlines = new Set<number | undefined>()
    const limited = await serveWorld({
      graph: { limits: { deadline: 500 } },
      wrap: store =>
        delegateStore(store, {
          read(wave, options) {
            if (!isMute) return store.read(wave, options)
            deadlines.add(options.deadline)
            return wave.nodes.includes(ADA) ? new Promise(() => undefined) : store.read(wave, options)
          },
        }),
    })
    isMute = true
    const answers = await batchAsker(limited)([
      { relative_url: `${GRACE}?fields=id`, name: 'quick', omit_response_on_success: false },
      { relative_url: `${ADA}?fields=friends{likes{likes}}` },
      { relative_url: `${ADA}?fields=id`, depends_on: 'quick' },
    ])
    expect(answers[0]?.body).toEqual({ id: GRACE })
    expect(answers.slice(1)).toEqual([null, null])
    expect(deadlines.size).toBe(1)
  })
})
