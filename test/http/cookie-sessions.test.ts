import { createServer, type Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { type Auth, createGraph } from 'kithgraph'
import { createHandler, type Handler, type HandlerOptions, toNodeListener } from 'kithgraph/http'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../helpers/start-server.ts'
import { ADA, createWorldStore, NEWEST_PHOTO, NOW } from '../helpers/world.ts'

const running: RunningServer[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(server => server.stop()))
})

const COOKIE = 'session'
const HOUR = 3_600_000

const readCookie = (header: string | null | undefined): string | undefined => {
  const pairs = (header ?? '').split('; ')
  return pairs.find(pair => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1)
}

type Mount = (handler: Handler, toToken: (cookie: string) => string) => Server

/** Serves a Web function from a request to a response, which copies the token from the cookie to a header. */
const mountWebFunction: Mount = (handler, toToken) => {
  const respond = async (request: Request): Promise<Response> => {
    const headers = new Headers(request.headers)
    const cookie = readCookie(headers.get('cookie'))
    if (cookie !== undefined && !headers.has('authorization'))
      headers.set('authorization', `Bearer ${toToken(cookie)}`)
    const response = await handler(new Request(request, { headers }))
    response.headers.append('vary', 'Cookie')
    return response
  }
  // The return type also includes HTTP/2 servers, which other options create.
  return createAdaptorServer({ fetch: respond }) as Server
}

/** Serves a listener of `node:http`, which copies the token from the cookie to a header. */
const mountNodeListener: Mount = (handler, toToken) => {
  const listener = toNodeListener(handler)
  return createServer((request, response) => {
    const cookie = readCookie(request.headers.cookie)
    if (cookie !== undefined) request.headers.authorization ??= `Bearer ${toToken(cookie)}`
    void listener(request, response)
  })
}

type ServiceOptions = HandlerOptions & {
  readonly auth?: Auth
  readonly mount?: Mount
  /** Converts the text of the cookie to a token. */
  readonly toToken?: (cookie: string) => string
}

/** Starts a service that reads tokens from a cookie. */
const startService = async ({
  auth,
  mount = mountWebFunction,
  toToken = cookie => cookie,
  ...options
}: ServiceOptions = {}) => {
  const clock = { now: NOW }
  const store = await createWorldStore()
  const graph = createGraph(store, { auth, now: () => clock.now })
  const server = await startServer(mount(createHandler(graph, options), toToken))
  running.push(server)
  const send = async (path: string, cookie: string | undefined, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    if (cookie !== undefined) headers.set('cookie', `theme=dark; ${COOKIE}=${cookie}`)
    const response = await fetch(server.origin + path, { ...init, headers })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }
  const reasonOf = async (path: string, cookie: string | undefined, init?: RequestInit): Promise<string> =>
    (await send(path, cookie, init)).body.error?.error_data.reason ?? 'none'
  const scopes = ['user_photos']
  const signIn = () => graph.tokens.issue({ viewer: ADA, app: 'web', scopes, expiresInMs: HOUR })
  return { graph, store, clock, send, reasonOf, signIn }
}

const me = { name: 'Ada Lovelace', id: ADA }

describe.each([
  ['a web function', mountWebFunction],
  ['a Node listener', mountNodeListener],
])('a cookie with a token of the graph, read by %s', (_, mount) => {
  it('is valid until it expires or is revoked', async () => {
    const { graph, clock, send, reasonOf, signIn } = await startService({ mount })
    const [first, second] = [await signIn(), await signIn()]
    expect((await send('/me', first)).body).toEqual(me)
    expect(await reasonOf('/me', undefined)).toBe('token_missing')
    await graph.tokens.revoke(first)
    expect([await reasonOf('/me', first), await reasonOf('/me', second)]).toEqual(['token_revoked', 'none'])
    clock.now += HOUR
    expect(await reasonOf('/me', second)).toBe('token_expired')
  })

  it('works for a batch, which is a POST', async () => {
    const { send, signIn } = await startService({ mount })
    const batch = JSON.stringify([{ relative_url: 'me' }])
    const { body } = await send('/', await signIn(), { method: 'POST', body: new URLSearchParams({ batch }) })
    expect(body).toMatchObject([{ code: 200, body: JSON.stringify(me) }])
  })

  it('is in no link of a response', async () => {
    const { send, signIn } = await startService({ mount })
    const token = await signIn()
    const { headers, body } = await send('/me/photos?limit=1', token)
    expect(body.paging.next).toContain(`/${ADA}/photos?`)
    expect(JSON.stringify(body)).not.toContain(token)
    expect(headers.get('cache-control')).toBe('private')
  })

  it('is not used if the request has its own token, and contradicts another one in the query', async () => {
    const { graph, send, reasonOf, signIn } = await startService({ mount })
    const own = await graph.tokens.issue({ app: 'tool' })
    const headers = { authorization: `Bearer ${own}` }
    expect(await reasonOf('/me', await signIn(), { headers })).toBe('viewer_required')
    expect((await send(`/me?access_token=${own}`, await signIn())).body.error.error_data).toMatchObject({
      reason: 'invalid_parameter',
      parameter: 'access_token',
    })
  })
})

describe('the response to a request with a cookie', () => {
  it('can vary by the cookie, next to the other headers', async () => {
    const { send, signIn } = await startService()
    const { headers } = await send('/me', await signIn())
    expect(headers.get('vary')).toMatch(/^Authorization, .*, Cookie$/)
  })
})

describe('a cookie with the id of an existing session', () => {
  it('is accepted by an Auth that looks up the session and the node of its user', async () => {
    const sessions = new Map([
      ['f3a9', { user: 'user_ada', endsAt: NOW + HOUR }],
      ['0b17', { user: 'user_ada', endsAt: NOW }],
      ['77aa', { user: 'user_without_node', endsAt: NOW + HOUR }],
    ])
    const nodeIdByUser = new Map([['user_ada', ADA]])
    const auth: Auth = {
      async authenticate(token) {
        if (!token.startsWith('cookie:')) return undefined
        const session = sessions.get(token.slice('cookie:'.length))
        const viewer = nodeIdByUser.get(session?.user ?? '')
        if (session === undefined || viewer === undefined) return { failure: 'invalid' }
        if (session.endsAt <= NOW) return { failure: 'expired' }
        return { session: { viewer, app: 'web', scopes: [], issuedAt: 0, expiresAt: session.endsAt } }
      },
    }
    const { send, reasonOf, signIn } = await startService({ auth, toToken: id => `cookie:${id}` })
    expect((await send('/me', 'f3a9')).body).toEqual(me)
    expect(await reasonOf('/me', '0b17')).toBe('token_expired')
    for (const id of ['77aa', 'unknown']) expect(await reasonOf('/me', id)).toBe('token_invalid')
    const headers = { authorization: `Bearer ${await signIn()}` }
    expect((await send('/me', undefined, { headers })).body).toEqual(me)
  })
})

describe('a forged request with the cookie of a visitor', () => {
  const SITE = 'https://evil.example'

  it.each([
    ['DELETE', `/${NEWEST_PHOTO}`],
    ['POST', `/${NEWEST_PHOTO}?method=delete`],
    ['POST', `/${NEWEST_PHOTO}?name=forged`],
    ['PUT', `/${NEWEST_PHOTO}?name=forged`],
    ['POST', '/me/photos?name=forged'],
  ])('changes nothing: %s %s', async (method, path) => {
    const { store, send, signIn } = await startService()
    const token = await signIn()
    const dump = async () => {
      const lines: unknown[] = []
      for await (const line of store.dump()) lines.push(line)
      return lines
    }
    const before = await dump()
    const { status } = await send(path, token, { method, headers: { origin: SITE } })
    expect(status).toBe(400)
    expect(await dump()).toEqual(before)
  })

  it('has a response that browsers withhold from the other site, with and without cors', async () => {
    for (const cors of [undefined, { origin: '*' }, { origin: [SITE] }] as const) {
      const { send, signIn } = await startService({ cors })
      const { status, headers } = await send('/me', await signIn(), { headers: { origin: SITE } })
      expect(status).toBe(200)
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.has('access-control-allow-origin')).toBe(cors !== undefined)
    }
  })

  it('has no JSONP response, which a script element could load', async () => {
    const { send, signIn } = await startService()
    const { headers, body } = await send('/me?callback=steal', await signIn())
    expect(body).toEqual(me)
    expect(headers.get('content-type')).toContain('application/json')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})
