import { type Auth, createGraph, createStaticAuth, type GraphOptions, type TokenOptions } from 'kithgraph'
import { createJwtAuth } from 'kithgraph/jwt'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { computeProof } from '../../../src/access/proof.ts'
import { ADA, createWorldStore, ENGINE, NOW } from '../../helpers/world.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { SECRET, secretBytes, sign } from '../access/jwt-issuer.ts'
import { catchReason } from './clocked-world.ts'

const HOUR = 3_600_000
const NAMES = { [ADA]: 'Ada Lovelace', [ENGINE]: 'The Analytical Engine' }
const appSecrets = { demo: 'foo_secret_of_demo' }

const openGraph = async (auth: GraphOptions['auth'], options: GraphOptions = {}) =>
  createGraph(await createWorldStore(), { auth, appSecrets, now: () => NOW, ...options })

type TokenKind = {
  readonly kind: string
  /** Creates a token for the options, and a graph that accepts it. */
  readonly issueToken: (
    request: TokenOptions,
    options?: GraphOptions,
  ) => Promise<{ graph: Awaited<ReturnType<typeof openGraph>>; token: string }>
  readonly issuedAt: number
  readonly expiresAt: number | undefined
}

const jwtAuth = createJwtAuth({ secret: SECRET, now: () => NOW })

const KINDS: readonly TokenKind[] = [
  {
    kind: 'tokens.issue',
    issueToken: async (request, options) => {
      const graph = await openGraph(undefined, options)
      return { graph, token: await graph.tokens.issue({ ...request, expiresInMs: HOUR }) }
    },
    issuedAt: NOW,
    expiresAt: NOW + HOUR,
  },
  {
    kind: 'createStaticAuth',
    issueToken: async (request, options) => ({
      graph: await openGraph(createStaticAuth({ bar_token: request }), options),
      token: 'bar_token',
    }),
    issuedAt: 0,
    expiresAt: undefined,
  },
  {
    kind: 'createJwtAuth',
    issueToken: async ({ viewer, app, scopes = [] }, options) => {
      const times = { iat: NOW / 1000, exp: (NOW + HOUR) / 1000 }
      const claims = { sub: viewer, azp: app, scope: scopes.join(' '), ...times }
      return { graph: await openGraph([jwtAuth], options), token: await sign('HS256', secretBytes(), claims) }
    },
    issuedAt: NOW,
    expiresAt: NOW + HOUR,
  },
]

describe.each(KINDS)('a token that $kind creates or accepts', ({ kind, issueToken, issuedAt, expiresAt }) => {
  it.each([
    ['user', ADA],
    ['page', ENGINE],
  ] as const)('represents a %s in getMe and inspect', async (type, viewer) => {
    const { graph, token } = await issueToken({ viewer, app: 'demo', scopes: ['email'] })
    expect(await graph.getMe(token)).toEqual({ name: NAMES[viewer], id: viewer })
    expect(await graph.tokens.inspect(token)).toEqual({
      valid: true,
      failure: undefined,
      app: 'demo',
      viewer,
      // The type is in the record that `issue` wrote. No node is read.
      type: kind === 'tokens.issue' ? type : undefined,
      scopes: ['email'],
      declined: [],
      issuedAt,
      expiresAt,
    })
  })

  it('represents an app without a viewer, for which getMe fails', async () => {
    const { graph, token } = await issueToken({ app: 'demo', scopes: [] })
    expect(await graph.getNode(token, { id: ADA })).toEqual({ name: 'Ada Lovelace', id: ADA })
    expect(await expectGraphError(graph.getMe(token))).toMatchObject({
      code: 2500,
      reason: 'viewer_required',
    })
    expect(await graph.tokens.inspect(token)).toMatchObject({ valid: true, type: 'app', viewer: undefined })
  })

  it('grants only its scopes', async () => {
    const { graph, token } = await issueToken({ viewer: ADA, app: 'demo', scopes: ['email'] })
    expect(await graph.getMe(token, { fields: 'email,birthday' })).toEqual({
      email: 'ada@example.org',
      id: ADA,
    })
  })

  it('requires a proof made with the secret of its app if requireProof is set', async () => {
    const { graph, token } = await issueToken({ viewer: ADA, app: 'demo' }, { requireProof: true })
    expect(await graph.getMe(token, { proof: computeProof(token, appSecrets.demo) })).toMatchObject({
      id: ADA,
    })
    expect(await catchReason(graph.getMe(token))).toBe('proof_invalid')
    expect(await catchReason(graph.getMe(token, { proof: computeProof(token, 'another secret') }))).toBe(
      'proof_invalid',
    )
  })

  it('accepts no proof if its app has no secret', async () => {
    const { graph, token } = await issueToken({ viewer: ADA, app: 'other' })
    expect(await catchReason(graph.getMe(token, { proof: computeProof(token, appSecrets.demo) }))).toBe(
      'proof_invalid',
    )
  })
})

describe('a proof of possession that a client computes', () => {
  const proof = '701346830a64e850c277767601158a25bbff2f8072d69d2a84c2bb9c7dfd7f48'

  it('is accepted only for its own token', async () => {
    const auth = createStaticAuth({
      bar_token: { viewer: ADA, app: 'demo' },
      other: { viewer: ADA, app: 'demo' },
    })
    const { getMe } = await openGraph(auth, { requireProof: true })
    expect(await getMe('bar_token', { proof })).toMatchObject({ id: ADA })
    expect(await catchReason(getMe('other', { proof }))).toBe('proof_invalid')
  })
})

describe('tokens.inspect', () => {
  it('names the reason for which a JWT is rejected, but no viewer and no app', async () => {
    const { tokens } = await openGraph(jwtAuth)
    const late = await sign('HS256', secretBytes(), { exp: NOW / 1000 })
    const nobody = {
      app: undefined,
      viewer: undefined,
      type: undefined,
      issuedAt: undefined,
      expiresAt: undefined,
      declined: [],
    }
    expect(await tokens.inspect(late)).toEqual({ valid: false, failure: 'expired', scopes: [], ...nobody })
    expect(await tokens.inspect('x')).toEqual({ valid: false, failure: 'invalid', scopes: [], ...nobody })
  })
})

const jwt = await sign('HS256', secretBytes(), { exp: NOW })

describe('tokens.revoke', () => {
  it.each([
    ['of createStaticAuth', 'fixed'],
    ['of an app', 'demo|foo_secret_of_demo'],
    ['of createJwtAuth', jwt],
  ])('rejects a valid token that the graph did not issue: token %s', async (_, token) => {
    const auth = [createStaticAuth({ fixed: { viewer: ADA, app: 'demo' } }), jwtAuth]
    const { tokens } = await openGraph(auth)
    const error = await expectGraphError(tokens.revoke(token))
    expect(error.toJSON().error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: 'token' })
    expect(JSON.stringify(error)).not.toContain(token)
    expect((await tokens.inspect(token)).valid).toBe(true)
  })

  it('ignores an invalid token', async () => {
    const { tokens } = await openGraph(jwtAuth)
    await expect(tokens.revoke('no such token')).resolves.toBeUndefined()
    const late = await sign('HS256', secretBytes(), { exp: NOW / 1000 })
    await expect(tokens.revoke(late)).resolves.toBeUndefined()
  })

  it('revokes a token that the graph issued if the graph also accepts other kinds of tokens', async () => {
    const { tokens, getMe } = await openGraph([createStaticAuth({}), jwtAuth])
    const token = await tokens.issue({ viewer: ADA, app: 'demo' })
    await tokens.revoke(token)
    expect(await catchReason(getMe(token))).toBe('token_revoked')
    expect(await tokens.inspect(token)).toMatchObject({ failure: 'revoked', viewer: ADA })
  })
})

describe('a custom Auth object', () => {
  const session = { viewer: ADA, app: 'demo', scopes: [], issuedAt: NOW, expiresAt: undefined }

  it('receives the stored record of the digest of the token, from the same store read as the node', async () => {
    const auth: Auth = {
      digest: token => (token.startsWith('key-') ? `digest of ${token}` : undefined),
      authenticate: (_, record) => record && { session: record },
    }
    const store = countReads(await createWorldStore())
    const record = { ...session, revokedAt: undefined, generation: '' }
    await store.write([{ op: 'putToken', digest: 'digest of key-1', token: record }], { signal: undefined })
    const { getNode, getMe, tokens } = createGraph(store, { auth })
    expect(await getNode('key-1', { id: ADA })).toEqual({ name: 'Ada Lovelace', id: ADA })
    expect(store.reads).toHaveLength(1)
    expect(store.reads[0]).toMatchObject({ request: { nodes: [ADA], tokens: ['digest of key-1'] } })
    expect(await catchReason(getMe('key-2'))).toBe('token_invalid')
    // The graph cannot revoke a token whose record it did not write.
    expect(await catchReason(tokens.revoke('key-1'))).toBe('invalid_parameter')
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('out of order')
      },
    ],
    ['rejects', () => Promise.reject(new Error('out of order'))],
  ])('gives a transient error with its cause if it %s', async (_, authenticate) => {
    const { getMe, tokens } = await openGraph({ authenticate })
    for (const promise of [getMe('t'), tokens.inspect('t'), tokens.revoke('t')]) {
      const error = await expectGraphError(promise)
      expect(error).toMatchObject({
        status: 503,
        reason: 'store_error',
        cause: new Error('out of order'),
      })
      expect(JSON.stringify(error)).not.toContain('out of order')
    }
  })

  it('passes on a GraphError that it throws', async () => {
    const cause = await expectGraphError((await openGraph(undefined)).getMe(''))
    const { getMe } = await openGraph({ authenticate: () => Promise.reject(cause) })
    expect(await expectGraphError(getMe('t'))).toBe(cause)
  })

  it('gives an internal error whose cause names the invalid member of its session', async () => {
    const { getMe, tokens } = await openGraph({
      authenticate: () => ({ session: { ...session, viewer: 'Ada' } }),
    })
    for (const promise of [getMe('t'), tokens.inspect('t')]) {
      const error = await expectGraphError(promise)
      expect(error).toMatchObject({ status: 500, reason: 'internal_error' })
      expect(String(error.cause)).toContain(
        'TypeError: auth[0].authenticate: "session.viewer" must be the id of a node or undefined; received "Ada"',
      )
      expect(JSON.stringify(error)).not.toContain('viewer')
    }
  })

  it('gives an internal error if its digest throws', async () => {
    const digest = () => {
      throw new Error('no digest')
    }
    const { getMe, tokens } = await openGraph({ digest, authenticate: () => undefined })
    for (const promise of [getMe('t'), tokens.inspect('t')]) {
      expect(await expectGraphError(promise)).toMatchObject({
        reason: 'internal_error',
        cause: new Error('no digest'),
      })
    }
  })

  it('does not delay a call beyond its timeout or the abort of its signal', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const authenticate: Auth['authenticate'] = (_token, _record, signal) => {
      signals.push(signal)
      return new Promise(() => undefined)
    }
    const hasty = await openGraph({ authenticate }, { limits: { timeoutMs: 20 } })
    expect(await catchReason(hasty.getMe('t'))).toBe('timeout')
    const { getMe } = await openGraph({ authenticate })
    expect(await catchReason(getMe('t', { signal: AbortSignal.timeout(5) }))).toBe('aborted')
    expect(signals.map(given => given?.aborted)).toEqual([undefined, true])
  })

  it('is not called for sessions', async () => {
    const graph = await openGraph({ authenticate: () => Promise.reject(new Error('asked')) })
    expect(await graph.getMe(graph.session({ viewer: ADA, app: 'demo' }))).toMatchObject({ id: ADA })
  })

  it('has no effect if it is added to the list in the option auth after the graph is created', async () => {
    const list: Auth[] = []
    const { getMe } = await openGraph(list)
    list.push({ authenticate: () => ({ session }) })
    expect(await catchReason(getMe('t'))).toBe('token_invalid')
  })
})
