import { type Auth, createGraph, createStaticAuth, type GraphOptions, type TokenRequest } from 'kithgraph'
import { createJwtAuth } from 'kithgraph/jwt'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { proofOf } from '../../../src/access/proof.ts'
import { ADA, ENGINE, NOW, worldStore } from '../../helpers/world.ts'
import { faultOf } from '../abuse/fault-of.ts'
import { SECRET, secretBytes, sign } from '../access/jwt-issuer.ts'
import { reasonOf } from './clocked-world.ts'

const HOUR = 3_600_000
const NAMES = { [ADA]: 'Ada Lovelace', [ENGINE]: 'The Analytical Engine' }
const appSecrets = { demo: 'foo_secret_of_demo' }

const open = async (auth: GraphOptions['auth'], options: GraphOptions = {}) =>
  createGraph(await worldStore(), { auth, appSecrets, now: () => NOW, ...options })

type Kind = {
  readonly kind: string
  /** A graph that lets in a token for whom it is asked, and the token. */
  readonly enter: (
    request: TokenRequest,
    options?: GraphOptions,
  ) => Promise<{ graph: Awaited<ReturnType<typeof open>>; token: string }>
  readonly issuedAt: number
  readonly expiresAt: number | undefined
}

const jwtAuth = createJwtAuth({ secret: SECRET, now: () => NOW })

const KINDS: readonly Kind[] = [
  {
    kind: 'of the graph',
    enter: async (request, options) => {
      const graph = await open(undefined, options)
      return { graph, token: await graph.tokens.issue({ ...request, expiresIn: HOUR }) }
    },
    issuedAt: NOW,
    expiresAt: NOW + HOUR,
  },
  {
    kind: 'declared',
    enter: async (request, options) => ({
      graph: await open(createStaticAuth({ bar_token: request }), options),
      token: 'bar_token',
    }),
    issuedAt: 0,
    expiresAt: undefined,
  },
  {
    kind: 'JWT',
    enter: async ({ viewer, app, scopes = [] }, options) => {
      const times = { iat: NOW / 1000, exp: (NOW + HOUR) / 1000 }
      const claims = { sub: viewer, azp: app, scope: scopes.join(' '), ...times }
      return { graph: await open([jwtAuth], options), token: await sign('HS256', secretBytes(), claims) }
    },
    issuedAt: NOW,
    expiresAt: NOW + HOUR,
  },
]

describe.each(KINDS)('a token $kind', ({ kind, enter, issuedAt, expiresAt }) => {
  it.each([
    ['user', ADA],
    ['page', ENGINE],
  ] as const)('may stand for a %s, whom me answers and inspect names', async (type, viewer) => {
    const { graph, token } = await enter({ viewer, app: 'demo', scopes: ['email'] })
    expect(await graph.getMe(token)).toEqual({ name: NAMES[viewer], id: viewer })
    expect(await graph.tokens.inspect(token)).toEqual({
      valid: true,
      refused: undefined,
      app: 'demo',
      viewer,
      // Known from the record that `issue` wrote: no node is read.
      type: kind === 'of the graph' ? type : undefined,
      scopes: ['email'],
      issuedAt,
      expiresAt,
    })
  })

  it('may stand for an app alone, which has no me', async () => {
    const { graph, token } = await enter({ app: 'demo', scopes: [] })
    expect(await graph.getNode(token, { id: ADA })).toEqual({ name: 'Ada Lovelace', id: ADA })
    expect(await faultOf(graph.getMe(token))).toMatchObject({
      code: 2500,
      data: { reason: 'viewer_missing' },
    })
    expect(await graph.tokens.inspect(token)).toMatchObject({ valid: true, type: 'app', viewer: undefined })
  })

  it('grants its scopes and no other', async () => {
    const { graph, token } = await enter({ viewer: ADA, app: 'demo', scopes: ['email'] })
    expect(await graph.getMe(token, { fields: 'email,birthday' })).toEqual({
      email: 'ada@example.org',
      id: ADA,
    })
  })

  it('is held to the proof of its app', async () => {
    const { graph, token } = await enter({ viewer: ADA, app: 'demo' }, { requireProof: true })
    expect(await graph.getMe(token, { proof: proofOf(token, appSecrets.demo) })).toMatchObject({ id: ADA })
    expect(await reasonOf(graph.getMe(token))).toBe('proof_invalid')
    expect(await reasonOf(graph.getMe(token, { proof: proofOf(token, 'another secret') }))).toBe(
      'proof_invalid',
    )
  })

  it('has no proof where its app has no secret', async () => {
    const { graph, token } = await enter({ viewer: ADA, app: 'other' })
    expect(await reasonOf(graph.getMe(token, { proof: proofOf(token, appSecrets.demo) }))).toBe(
      'proof_invalid',
    )
  })
})

describe('the proof that clients compute', () => {
  const proof = '701346830a64e850c277767601158a25bbff2f8072d69d2a84c2bb9c7dfd7f48'

  it('is taken for the token it is made of', async () => {
    const auth = createStaticAuth({
      bar_token: { viewer: ADA, app: 'demo' },
      other: { viewer: ADA, app: 'demo' },
    })
    const { getMe } = await open(auth, { requireProof: true })
    expect(await getMe('bar_token', { proof })).toMatchObject({ id: ADA })
    expect(await reasonOf(getMe('other', { proof }))).toBe('proof_invalid')
  })
})

describe('inspect', () => {
  it('tells why a token of another kind is refused, and of whom it knows nothing', async () => {
    const { tokens } = await open(jwtAuth)
    const late = await sign('HS256', secretBytes(), { exp: NOW / 1000 })
    const nobody = {
      app: undefined,
      viewer: undefined,
      type: undefined,
      issuedAt: undefined,
      expiresAt: undefined,
    }
    expect(await tokens.inspect(late)).toEqual({ valid: false, refused: 'expired', scopes: [], ...nobody })
    expect(await tokens.inspect('x')).toEqual({ valid: false, refused: 'unknown', scopes: [], ...nobody })
  })
})

const jwt = await sign('HS256', secretBytes(), { exp: NOW })

describe('to revoke a token', () => {
  it.each([
    ['declared', 'fixed'],
    ['of an app', 'demo|foo_secret_of_demo'],
    ['JWT', jwt],
  ])('%s is a fault while it lets in, since nothing here ends it', async (_, token) => {
    const auth = [createStaticAuth({ fixed: { viewer: ADA, app: 'demo' } }), jwtAuth]
    const { tokens } = await open(auth)
    const fault = await faultOf(tokens.revoke(token))
    expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'token' })
    expect(JSON.stringify(fault)).not.toContain(token)
    expect((await tokens.inspect(token)).valid).toBe(true)
  })

  it('that lets nobody in is none', async () => {
    const { tokens } = await open(jwtAuth)
    await expect(tokens.revoke('no such token')).resolves.toBeUndefined()
    const late = await sign('HS256', secretBytes(), { exp: NOW / 1000 })
    await expect(tokens.revoke(late)).resolves.toBeUndefined()
  })

  it('of the graph ends it beside all other kinds', async () => {
    const { tokens, getMe } = await open([createStaticAuth({}), jwtAuth])
    const token = await tokens.issue({ viewer: ADA, app: 'demo' })
    await tokens.revoke(token)
    expect(await reasonOf(getMe(token))).toBe('token_revoked')
    expect(await tokens.inspect(token)).toMatchObject({ refused: 'revoked', viewer: ADA })
  })
})

describe('an Auth of one’s own', () => {
  const session = { viewer: ADA, app: 'demo', scopes: [], issuedAt: NOW, expiresAt: undefined }

  it('finds its record by the digest, in the first wave', async () => {
    const auth: Auth = {
      digest: token => (token.startsWith('key-') ? `digest of ${token}` : undefined),
      authenticate: (_, record) => record && { session: record },
    }
    const store = countReads(await worldStore())
    const record = { ...session, revokedAt: undefined, generation: '' }
    await store.write([{ op: 'putToken', digest: 'digest of key-1', token: record }], { signal: undefined })
    const { getNode, getMe, tokens } = createGraph(store, { auth })
    expect(await getNode('key-1', { id: ADA })).toEqual({ name: 'Ada Lovelace', id: ADA })
    expect(store.reads).toHaveLength(1)
    expect(store.reads[0]).toMatchObject({ wave: { nodes: [ADA], tokens: ['digest of key-1'] } })
    expect(await reasonOf(getMe('key-2'))).toBe('token_unknown')
    // The record is the author's, and so is its end.
    expect(await reasonOf(tokens.revoke('key-1'))).toBe('bad_parameter')
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('out of order')
      },
    ],
    ['rejects', () => Promise.reject(new Error('out of order'))],
  ])('that %s is a transient fault with its cause', async (_, authenticate) => {
    const { getMe, tokens } = await open({ authenticate })
    for (const promise of [getMe('t'), tokens.inspect('t'), tokens.revoke('t')]) {
      const fault = await faultOf(promise)
      expect(fault).toMatchObject({
        status: 503,
        data: { reason: 'store_fault' },
        cause: new Error('out of order'),
      })
      expect(JSON.stringify(fault)).not.toContain('out of order')
    }
  })

  it('that throws a fault of the graph is that fault', async () => {
    const cause = await faultOf((await open(undefined)).getMe(''))
    const { getMe } = await open({ authenticate: () => Promise.reject(cause) })
    expect(await faultOf(getMe('t'))).toBe(cause)
  })

  it('that answers no session is an internal fault, whose cause names the member', async () => {
    const { getMe, tokens } = await open({ authenticate: () => ({ session: { ...session, viewer: 'Ada' } }) })
    for (const promise of [getMe('t'), tokens.inspect('t')]) {
      const fault = await faultOf(promise)
      expect(fault).toMatchObject({ status: 500, data: { reason: 'internal' } })
      expect(String(fault.cause)).toContain('auth[0]: viewer must be the id of a node')
      expect(JSON.stringify(fault)).not.toContain('viewer')
    }
  })

  it('whose digest fails is an internal fault', async () => {
    const digest = () => {
      throw new Error('no digest')
    }
    const { getMe, tokens } = await open({ digest, authenticate: () => undefined })
    for (const promise of [getMe('t'), tokens.inspect('t')]) {
      expect(await faultOf(promise)).toMatchObject({
        data: { reason: 'internal' },
        cause: new Error('no digest'),
      })
    }
  })

  it('has until the deadline, and as long as its caller waits', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const authenticate: Auth['authenticate'] = (_token, _record, signal) => {
      signals.push(signal)
      return new Promise(() => undefined)
    }
    const hasty = await open({ authenticate }, { limits: { deadline: 20 } })
    expect(await reasonOf(hasty.getMe('t'))).toBe('deadline')
    const { getMe } = await open({ authenticate })
    expect(await reasonOf(getMe('t', { signal: AbortSignal.timeout(5) }))).toBe('aborted')
    expect(signals.map(given => given?.aborted)).toEqual([undefined, true])
  })

  it('is not asked about the sessions of the process', async () => {
    const graph = await open({ authenticate: () => Promise.reject(new Error('asked')) })
    expect(await graph.getMe(graph.session({ viewer: ADA, app: 'demo' }))).toMatchObject({ id: ADA })
  })

  it('lets in nobody else once it is in the graph: the list given is copied', async () => {
    const list: Auth[] = []
    const { getMe } = await open(list)
    list.push({ authenticate: () => ({ session }) })
    expect(await reasonOf(getMe('t'))).toBe('token_unknown')
  })
})
