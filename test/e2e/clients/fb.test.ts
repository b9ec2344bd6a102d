import { createHmac } from 'node:crypto'
import { Facebook, FacebookApiException } from 'fb'
import { toNodeListener } from 'kithgraph/http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { APP_SECRET, createWorldHandler } from '../../helpers/served-world.ts'
import type { RunningServer } from '../../helpers/start-server.ts'
import { ADA, ALAN, GRACE, NEWEST_FIRST, NEWEST_TIME_TEXT, NOBODY } from '../../helpers/world.ts'
import { startStandIn } from './stand-in-host.ts'

/** The fixed host of the client's URLs. */
const HOST = 'graph.facebook.com'

type PhotoPage = {
  readonly data: readonly { readonly id: string }[]
  readonly paging?: { readonly next?: string }
}

const { handler, token, unscopedToken } = await createWorldHandler()
let standIn: RunningServer
let fb: Facebook

beforeAll(async () => {
  standIn = await startStandIn(HOST, toNodeListener(handler))
  // The certificate is self-signed, and the client has no option for trusted certificates.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  fb = new Facebook({ accessToken: token, version: 'v2.5', proxy: standIn.origin })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await standIn.stop()
})

/** Returns the error that the client throws. */
const catchResponse = async (call: Promise<unknown>): Promise<{ readonly [name: string]: unknown }> => {
  const error: unknown = await call.then(
    response => new Error(`returned ${JSON.stringify(response)}`),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof FacebookApiException)) throw error
  return error.response.error
}

describe('the client fb', () => {
  it('reads me', async () => {
    expect(await fb.api('me')).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('reads fields given as text or as an array', async () => {
    const expected = { email: 'ada@example.org', birthday: '12/10/1990', id: ADA }
    expect(await fb.api('/me', { fields: 'email,birthday' })).toEqual(expected)
    expect(await fb.api('/me', { fields: ['email', 'birthday'] })).toEqual(expected)
  })

  it('reads nested fields', async () => {
    const fields = 'photos.limit(1){created_time,comments.limit(1).summary(true){message,from}}'
    expect(await fb.api('me', { fields })).toMatchObject({
      photos: {
        data: [
          {
            created_time: NEWEST_TIME_TEXT,
            comments: {
              data: [{ message: 'Comment 1', from: { name: 'Grace Hopper', id: GRACE } }],
              summary: { total_count: 3 },
            },
          },
        ],
      },
    })
  })

  it('reads edges with parameters that are not strings', async () => {
    const friends = await fb.api('/me/friends', { limit: 1, summary: true })
    expect(friends).toMatchObject({ data: [{ name: 'Alan Turing', id: ALAN }], summary: { total_count: 2 } })
  })

  it('follows paging.next to the last page', async () => {
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

  it('reads several nodes with ids as text with commas or as an array', async () => {
    const expected = {
      [GRACE]: { name: 'Grace Hopper', id: GRACE },
      [ALAN]: { name: 'Alan Turing', id: ALAN },
    }
    expect(await fb.api('', { ids: `${GRACE},${ALAN}` })).toEqual(expected)
    expect(await fb.api('/', { ids: [GRACE, ALAN] })).toEqual(expected)
  })

  it('passes the result to a callback', async () => {
    const result = await new Promise((resolve, reject) => {
      fb.napi('me', { fields: 'id' }, (error, response) => (error ? reject(error) : resolve(response)))
    })
    expect(result).toEqual({ id: ADA })
  })

  it('can read with a version in its option or in the path', async () => {
    expect(await fb.extend({ version: 'v1.0' }).api('me')).toHaveProperty('id', ADA)
    expect(await fb.api('v19.0/me')).toHaveProperty('id', ADA)
  })

  it('reads the permissions of its token', async () => {
    expect(await fb.api('me/permissions')).toMatchObject({
      data: expect.arrayContaining([{ permission: 'email', status: 'granted' }]),
    })
  })
})

describe('a batch of the client fb', () => {
  type Item = { readonly code: number; readonly body: string } | null
  const batch = async (requests: readonly object[]): Promise<readonly Item[]> =>
    (await fb.api('', 'post', { batch: requests, include_headers: false })) as readonly Item[]
  const bodies = async (...requests: object[]): Promise<unknown[]> =>
    (await batch(requests)).map(item => item && JSON.parse(item.body))

  it('returns the responses of independent requests, even if one fails', async () => {
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

  it('can contain requests that use the responses of others', async () => {
    const friends = { name: 'friends', method: 'get', relative_url: 'me/friends?limit=2' }
    const names = { method: 'get', relative_url: '?ids={result=friends:$.data.*.id}&fields=name' }
    expect(await bodies(friends, names)).toEqual([
      null,
      { [ALAN]: { name: 'Alan Turing', id: ALAN }, [GRACE]: { name: 'Grace Hopper', id: GRACE } },
    ])
    const kept = { ...friends, omit_response_on_success: false }
    expect((await bodies(kept, names))[0]).toHaveProperty('data.length', 2)
  })

  it('returns null for a request that depends on a failed one', async () => {
    const missing = { name: 'missing', method: 'get', relative_url: NOBODY }
    const waiting = { method: 'get', relative_url: 'me', depends_on: 'missing' }
    expect(await bodies(missing, waiting)).toMatchObject([{ error: { code: 100 } }, null])
  })
})

describe('an error of the client fb', () => {
  it('has the keys that the tests of the client expect', async () => {
    const { message, type, code, error_subcode, fbtrace_id } = await catchResponse(fb.api('404'))
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
      'an unknown field',
      'me?fields=nmae',
      {
        code: 100,
        type: 'OAuthException',
        message: expect.stringContaining('Tried accessing nonexisting field (nmae) on node type (user'),
      },
    ],
    ['an invalid expression', 'me?fields=id{', { code: 2500, type: 'OAuthException' }],
    ['an edge without its scope', 'me/friends', { code: 200, type: 'OAuthException' }],
    ['an unknown path', 'me/friends/more', { code: 2500, type: 'OAuthException' }],
  ])('is thrown for %s', async (_, path, expected) => {
    const client = expected.code === 200 ? fb.extend({ accessToken: unscopedToken }) : fb
    expect(await catchResponse(client.api(path))).toMatchObject(expected)
  })

  it('is thrown for an invalid token', async () => {
    expect(await catchResponse(fb.extend({ accessToken: 'nobody' }).api('me'))).toMatchObject({
      type: 'OAuthException',
      code: 190,
      message: expect.stringMatching(/^Invalid OAuth access token/),
    })
  })

  it('is thrown for a write (POST or DELETE)', async () => {
    const expected = { type: 'GraphMethodException', code: 100, error_subcode: 33 }
    expect(await catchResponse(fb.api('me/feed', 'post', { message: 'Hello' }))).toMatchObject(expected)
    expect(await catchResponse(fb.api(GRACE, 'delete', {}))).toMatchObject(expected)
  })
})

describe('the proof of possession of the client fb', () => {
  it('is sent with the option appSecret', async () => {
    expect(await fb.extend({ accessToken: token, appSecret: APP_SECRET }).api('me')).toHaveProperty('id', ADA)
    const wrong = fb.extend({ accessToken: token, appSecret: 'another' })
    expect(await catchResponse(wrong.api('me'))).toMatchObject({ type: 'GraphMethodException', code: 100 })
  })

  it('is part of links', async () => {
    const proof = createHmac('sha256', APP_SECRET).update(token).digest('hex')
    const page = await fb.extend({ accessToken: token, appSecret: APP_SECRET }).api('me/photos', { limit: 2 })
    expect((page as PhotoPage).paging?.next).toContain(`appsecret_proof=${proof}`)
  })
})
