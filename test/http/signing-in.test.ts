import { createServer } from 'node:http'
import { createGraph } from 'kithgraph'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { createJwtAuth, type JwtAuthOptions } from 'kithgraph/jwt'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RunningServer, startServer } from '../helpers/start-server.ts'
import { ADA, createWorldStore } from '../helpers/world.ts'
import { AUDIENCE, createProviderKey, nowInSeconds, startIdentityProvider } from './identity-provider.ts'

const [spring, summer] = [await createProviderKey('spring'), await createProviderKey('summer')]
let provider: Awaited<ReturnType<typeof startIdentityProvider>>
const running: RunningServer[] = []

beforeAll(async () => {
  provider = await startIdentityProvider(spring)
})
afterEach(async () => {
  vi.useRealTimers()
  provider.publish(spring)
  await Promise.all(running.splice(0).map(server => server.stop()))
})
afterAll(() => provider.stop())

const UUID = '8ccaa7af-909f-44e7-84cb-67cdccb56be6'
/** The node of each account of the service. */
const nodeIdBySubject = new Map([
  ['user_ada', ADA],
  [UUID, ADA],
])

/** Starts a service that accepts the tokens of the provider, and counts the calls of its `grant`. */
const startService = async (options: JwtAuthOptions = {}) => {
  let grantCalls = 0
  const auth = createJwtAuth({
    jwks: `${provider.issuer}/.well-known/jwks.json`,
    issuer: provider.issuer,
    audience: AUDIENCE,
    clockToleranceMs: 5000,
    grant: async ({ sub = '', azp, scope }) => {
      grantCalls++
      const viewer = nodeIdBySubject.get(sub)
      if (viewer === undefined || azp !== 'web') return undefined
      return { viewer, app: azp, scopes: typeof scope === 'string' ? scope.split(' ') : [] }
    },
    ...options,
  })
  const graph = createGraph(await createWorldStore(), { auth })
  const server = await startServer(createServer(toNodeListener(createHandler(graph))))
  running.push(server)
  const send = async (token: string, path = '/me?fields=name,email', init: RequestInit = {}) => {
    const response = await fetch(server.origin + path, {
      ...init,
      headers: { authorization: `Bearer ${token}` },
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const reasonOf = async (token: string): Promise<string> => {
    const { body } = await send(token)
    return body.error?.error_data.reason ?? 'none'
  }
  return { graph, send, reasonOf, countGrantCalls: () => grantCalls }
}

const SECOND = 1000

describe('a service that accepts the JWTs of an identity provider', () => {
  it('finds the node of the viewer by the sub, and takes the scopes from the token', async () => {
    const { send } = await startService()
    const name = 'Ada Lovelace'
    expect(await send(await provider.sign())).toEqual({
      status: 200,
      body: { name, email: 'ada@example.org', id: ADA },
    })
    expect(await send(await provider.sign({ scope: undefined }))).toMatchObject({ body: { name, id: ADA } })
  })

  it.each([
    ['is for another audience', { aud: 'https://other.example.org' }, 'token_invalid'],
    ['is of another issuer', { iss: 'https://id.example.org' }, 'token_invalid'],
    ['has expired', { exp: nowInSeconds() - 60 }, 'token_expired'],
    ['is not valid yet', { nbf: nowInSeconds() + 60 }, 'token_invalid'],
    ['has no expiry', { exp: undefined }, 'token_invalid'],
    ['is of a person without an account', { sub: 'user_unknown' }, 'token_invalid'],
    ['is of an app that grant rejects', { azp: 'other' }, 'token_invalid'],
  ])('rejects a token that %s', async (_, changes, reason) => {
    const { send, reasonOf } = await startService()
    const token = await provider.sign(changes)
    expect([await reasonOf(token), (await send(token)).status]).toEqual([reason, 400])
  })

  it('accepts tokens whose times differ by at most clockToleranceMs', async () => {
    const { reasonOf } = await startService()
    const strict = await startService({ clockToleranceMs: 0 })
    const expired = await provider.sign({ exp: nowInSeconds() - 2 })
    const early = await provider.sign({ nbf: nowInSeconds() + 4 })
    expect([await reasonOf(expired), await reasonOf(early)]).toEqual(['none', 'none'])
    expect([await strict.reasonOf(expired), await strict.reasonOf(early)]).toEqual([
      'token_expired',
      'token_invalid',
    ])
  })

  it('rejects a sub that is not the id of a node if there is no grant', async () => {
    const { reasonOf } = await startService({ grant: undefined })
    expect(await reasonOf(await provider.sign({ sub: ADA }))).toBe('none')
    for (const sub of ['user_ada', UUID])
      expect(await reasonOf(await provider.sign({ sub }))).toBe('token_invalid')
  })

  it('responds with 503 if the keys cannot be fetched, and if grant throws', async () => {
    const token = await provider.sign()
    const failing = [
      await startService({ jwks: 'http://127.0.0.1:1/jwks.json' }),
      await startService({ grant: async () => Promise.reject(new Error('The table of accounts is locked')) }),
    ]
    for (const { send } of failing) {
      const { status, body } = await send(token)
      expect([status, body.error.error_data.reason]).toEqual([503, 'store_error'])
      expect(JSON.stringify(body)).not.toMatch(/locked|127\.0\.0\.1/)
    }
  })

  it('calls grant in every call, and in every request of a batch', async () => {
    const { send, countGrantCalls } = await startService()
    const token = await provider.sign()
    await send(token)
    await send(token)
    expect(countGrantCalls()).toBe(2)
    const batch = JSON.stringify([{ relative_url: 'me' }, { relative_url: `${ADA}` }])
    const { body } = await send(token, '/', { method: 'POST', body: new URLSearchParams({ batch }) })
    expect(body).toMatchObject([{ code: 200 }, { code: 200 }])
    expect(countGrantCalls()).toBe(2 + 3)
  })

  it('can exchange a JWT for a token of the graph, which it can revoke', async () => {
    const { graph, reasonOf } = await startService()
    const { valid, viewer, app = '', scopes } = await graph.tokens.inspect(await provider.sign())
    expect({ valid, viewer, app, scopes }).toEqual({
      valid: true,
      viewer: ADA,
      app: 'web',
      scopes: ['email'],
    })
    const token = await graph.tokens.issue({ viewer, app, scopes, expiresInMs: 60 * SECOND })
    expect(await reasonOf(token)).toBe('none')
    await graph.tokens.revoke(token)
    expect(await reasonOf(token)).toBe('token_revoked')
  })
})

describe('the rotation of a key', () => {
  it('interrupts no client if the new key is published 30 seconds before its first use', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { reasonOf } = await startService()
    expect(await reasonOf(await provider.sign())).toBe('none')
    provider.publish(spring, summer)
    expect(await reasonOf(await provider.sign({}, summer))).toBe('token_invalid')
    vi.setSystemTime(Date.now() + 30 * SECOND)
    expect(await reasonOf(await provider.sign({}, summer))).toBe('none')
    expect(await reasonOf(await provider.sign({}, spring))).toBe('none')
  })

  it('rejects the tokens of a removed key after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { reasonOf } = await startService()
    const token = await provider.sign({ exp: nowInSeconds() + 3600 })
    expect(await reasonOf(token)).toBe('none')
    provider.publish(summer)
    expect(await reasonOf(token)).toBe('none')
    vi.setSystemTime(Date.now() + 600 * SECOND)
    expect(await reasonOf(token)).toBe('token_invalid')
    expect(await reasonOf(await provider.sign({}, summer))).toBe('none')
  })
})

describe('the claims of a provider', () => {
  it('can be those of Clerk: no audience, and the origin of the page as azp', async () => {
    const origin = 'https://app.example.org'
    const { send, reasonOf } = await startService({
      audience: undefined,
      grant: async ({ sub = '', azp }) => {
        const viewer = nodeIdBySubject.get(sub)
        return viewer !== undefined && azp === origin ? { viewer, app: azp } : undefined
      },
    })
    const claims = { aud: undefined, scope: undefined, sid: 'sess_1', sts: 'active', v: 2, azp: origin }
    expect((await send(await provider.sign(claims))).body).toEqual({ name: 'Ada Lovelace', id: ADA })
    const foreign = await provider.sign({ ...claims, azp: 'https://other.example.org' })
    expect(await reasonOf(foreign)).toBe('token_invalid')
  })

  it('can be those of Supabase: a UUID as sub, and no app', async () => {
    const { send, reasonOf } = await startService({
      audience: 'authenticated',
      grant: async ({ sub = '' }) => {
        const viewer = nodeIdBySubject.get(sub)
        return viewer === undefined ? undefined : { viewer, app: 'web', scopes: ['email'] }
      },
    })
    const claims = {
      aud: 'authenticated',
      role: 'authenticated',
      sub: UUID,
      azp: undefined,
      scope: undefined,
    }
    expect((await send(await provider.sign(claims))).body).toMatchObject({
      email: 'ada@example.org',
      id: ADA,
    })
    expect(await reasonOf(await provider.sign({ ...claims, aud: 'anon' }))).toBe('token_invalid')
  })
})
