import { createHmac } from 'node:crypto'
import { Facebook, FacebookApiException } from 'fb'
import { toNodeListener } from 'kithgraph/http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Listening } from '../../helpers/listening.ts'
import { APP_SECRET, handleWorld } from '../../helpers/served-world.ts'
import { ADA, ALAN, GRACE, NEWEST_FIRST, NEWEST_TEXT, NOBODY } from '../../helpers/world.ts'
import { standInFor } from './fixed-host.ts'

/** The client builds its URLs with this host; it has no option for another. */
const HOST = 'graph.facebook.com'

type PhotoPage = {
  readonly data: readonly { readonly id: string }[]
  readonly paging?: { readonly next?: string }
}

const { handler, token, bareToken } = await handleWorld()
let standIn: Listening
let fb: Facebook

beforeAll(async () => {
  standIn = await standInFor(HOST, toNodeListener(handler))
  // The certificate is nobody's but the test's, and the client has no option for what it trusts.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  fb = new Facebook({ accessToken: token, version: 'v2.5', proxy: standIn.origin })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await standIn.stop()
})

/** What the client threw, as its users see it. */
const refused = async (asked: Promise<unknown>): Promise<{ readonly [name: string]: unknown }> => {
  const error: unknown = await asked.then(
    answer => new Error(`answered ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof FacebookApiException)) throw error
  return error.response.error
}

describe('the client fb reads', () => {
  it('me', async () => {
    expect(await fb.api('me')).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('fields, as text and as the array that it turns into JSON', async () => {
    const expected = { email: 'ada@example.org', birthday: '12/10/1990', id: ADA }
    expect(await fb.api('/me', { fields: 'email,birthday' })).toEqual(expected)
    expect(await fb.api('/me', { fields: ['email', 'birthday'] })).toEqual(expected)
  })

  it('nested fields', async () => {
    const fields = 'photos.limit(1){created_time,comments.limit(1).summary(true){message,from}}'
    expect(await fb.api('me', { fields })).toMatchObject({
      photos: {
        data: [
          {
            created_time: NEWEST_TEXT,
            comments: {
              data: [{ message: 'Comment 1', from: { name: 'Grace Hopper', id: GRACE } }],
              summary: { total_count: 3 },
            },
          },
        ],
      },
    })
  })

  it('edges, parameters in its own types included', async () => {
    const friends = await fb.api('/me/friends', { limit: 1, summary: true })
    expect(friends).toMatchObject({ data: [{ name: 'Alan Turing', id: ALAN }], summary: { total_count: 2 } })
  })

  it('paging.next to the end: what follows the host is asked for as it came', async () => {
    const ids: string[] = []
    let path: string | undefined = 'me/photos?limit=7&fields=id'
    while (path !== undefined) {
      const page = (await fb.api(path)) as PhotoPage
      ids.push(...page.data.map(({ id }) => id))
      const { next } = page.paging ?? {}
      expect(next ?? '').toMatch(/^(?:https:\/\/graph\.facebook\.com\/v2\.5\/1\/photos\?access_token=.*)?$/)
      path = next?.replace(`https://${HOST}/`, '')
    }
    expect(ids).toEqual(NEWEST_FIRST)
  })

  it('several nodes, by text with commas and by an array', async () => {
    const expected = {
      [GRACE]: { name: 'Grace Hopper', id: GRACE },
      [ALAN]: { name: 'Alan Turing', id: ALAN },
    }
    expect(await fb.api('', { ids: `${GRACE},${ALAN}` })).toEqual(expected)
    expect(await fb.api('/', { ids: [GRACE, ALAN] })).toEqual(expected)
  })

  it('through its node-style callbacks', async () => {
    const answer = await new Promise((resolve, reject) => {
      fb.napi('me', { fields: 'id' }, (error, response) => (error ? reject(error) : resolve(response)))
    })
    expect(answer).toEqual({ id: ADA })
  })

  it('in the version of its option, or of the path', async () => {
    expect(await fb.extend({ version: 'v1.0' }).api('me')).toHaveProperty('id', ADA)
    expect(await fb.api('v19.0/me')).toHaveProperty('id', ADA)
  })

  it('the permissions of its token', async () => {
    expect(await fb.api('me/permissions')).toMatchObject({
      data: expect.arrayContaining([{ permission: 'email', status: 'granted' }]),
    })
  })
})

describe('the client fb sends a batch', () => {
  type Item = { readonly code: number; readonly body: string } | null
  const batch = async (requests: readonly object[]): Promise<readonly Item[]> =>
    (await fb.api('', 'post', { batch: requests, include_headers: false })) as readonly Item[]
  const bodies = async (...requests: object[]): Promise<unknown[]> =>
    (await batch(requests)).map(item => item && JSON.parse(item.body))

  it('of requests that know nothing of each other', async () => {
    const [me, friends, nobody] = await batch([
      { method: 'get', relative_url: 'me' },
      { method: 'get', relative_url: 'me/friends?limit=1' },
      { method: 'get', relative_url: NOBODY },
    ])
    expect(JSON.parse(me?.body ?? '')).toEqual({ name: 'Ada Lovelace', id: ADA })
    expect(JSON.parse(friends?.body ?? '')).toHaveProperty('data.0.id', ALAN)
    expect(nobody?.code).toBe(400)
    expect(JSON.parse(nobody?.body ?? '')).toHaveProperty('error.error_subcode', 33)
  })

  it('of requests that use the answers of others', async () => {
    const friends = { name: 'friends', method: 'get', relative_url: 'me/friends?limit=2' }
    const names = { method: 'get', relative_url: '?ids={result=friends:$.data.*.id}&fields=name' }
    expect(await bodies(friends, names)).toEqual([
      null,
      { [ALAN]: { name: 'Alan Turing', id: ALAN }, [GRACE]: { name: 'Grace Hopper', id: GRACE } },
    ])
    const kept = { ...friends, omit_response_on_success: false }
    expect((await bodies(kept, names))[0]).toHaveProperty('data.length', 2)
  })

  it('where one waits for one that fails', async () => {
    const missing = { name: 'missing', method: 'get', relative_url: NOBODY }
    const waiting = { method: 'get', relative_url: 'me', depends_on: 'missing' }
    expect(await bodies(missing, waiting)).toMatchObject([{ error: { code: 100 } }, null])
  })
})

describe('the client fb is refused', () => {
  it('with the keys that its own tests expect of an error', async () => {
    const { message, type, code, error_subcode, fbtrace_id } = await refused(fb.api('404'))
    expect({ type, code, error_subcode }).toEqual({
      type: 'GraphMethodException',
      code: 100,
      error_subcode: 33,
    })
    expect(message).toContain('404')
    expect(fbtrace_id).toMatch(/\w/)
  })

  it.each([
    [
      'a field that there is not',
      'me?fields=nmae',
      {
        code: 100,
        type: 'OAuthException',
        message: expect.stringContaining('Tried accessing nonexisting field (nmae) on node type (user'),
      },
    ],
    ['an expression that is none', 'me?fields=id{', { code: 2500, type: 'OAuthException' }],
    ['an edge without its scope', 'me/friends', { code: 200, type: 'OAuthException' }],
    ['a path that goes on', 'me/friends/more', { code: 2500, type: 'OAuthException' }],
  ])('%s', async (_, path, expected) => {
    const asking = expected.code === 200 ? fb.extend({ accessToken: bareToken }) : fb
    expect(await refused(asking.api(path))).toMatchObject(expected)
  })

  it('a token that is none', async () => {
    expect(await refused(fb.extend({ accessToken: 'nobody' }).api('me'))).toMatchObject({
      type: 'OAuthException',
      code: 190,
      message: expect.stringMatching(/^Invalid OAuth access token/),
    })
  })

  it('writing, by the method that it sends', async () => {
    const expected = { type: 'GraphMethodException', code: 100, error_subcode: 33 }
    expect(await refused(fb.api('me/feed', 'post', { message: 'Hello' }))).toMatchObject(expected)
    expect(await refused(fb.api(GRACE, 'delete', {}))).toMatchObject(expected)
  })
})

describe('the client fb proves that it knows the secret of its app', () => {
  it('by its option', async () => {
    expect(await fb.extend({ accessToken: token, appSecret: APP_SECRET }).api('me')).toHaveProperty('id', ADA)
    const wrong = fb.extend({ accessToken: token, appSecret: 'another' })
    expect(await refused(wrong.api('me'))).toMatchObject({ type: 'GraphMethodException', code: 100 })
  })

  it('in links, too', async () => {
    const proof = createHmac('sha256', APP_SECRET).update(token).digest('hex')
    const page = await fb.extend({ accessToken: token, appSecret: APP_SECRET }).api('me/photos', { limit: 2 })
    expect((page as PhotoPage).paging?.next).toContain(`appsecret_proof=${proof}`)
  })
})
