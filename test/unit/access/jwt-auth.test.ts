import { inspect } from 'node:util'
import { createGraph, defineSchema, type GraphError, node } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createJwtAuth, type JwtAuthOptions } from 'kithgraph/jwt'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import {
  AUDIENCE,
  encodeTokenPart,
  ISSUER,
  NOW,
  now,
  SECRET,
  secretBytes,
  sign,
  signShared,
  UNRECOGNIZED,
} from './jwt-issuer.ts'

const INVALID = { failure: 'invalid', cause: expect.any(Error) }
const OPTIONS = { secret: SECRET, issuer: ISSUER, audience: AUDIENCE, now } as const

const schema = defineSchema({ account: node({}), photo: node({}) }, { ids: 'named', viewers: ['account'] })

const verifyToken = async (token: string, options: Partial<JwtAuthOptions> = {}) =>
  createJwtAuth({ ...OPTIONS, ...options }).authenticate(token, undefined, undefined)

type Claims = { readonly [claim: string]: unknown }

const verifyClaims = async (changes: Claims, options: Partial<JwtAuthOptions> = {}) =>
  verifyToken(await signShared(changes), options)

const validToken = await signShared()
const [header = '', payload = '', signature = ''] = validToken.split('.')
const otherSecretToken = await sign('HS256', secretBytes('another secret of at least 32 bytes'))

describe('a signed JWT', () => {
  it('gives a session with the values of its claims', async () => {
    expect(await verifyClaims({ iat: NOW - 5 })).toEqual({
      session: {
        viewer: '1',
        app: 'demo',
        scopes: ['email', 'user_friends'],
        issuedAt: (NOW - 5) * 1000,
        expiresAt: (NOW + 60) * 1000,
      },
    })
  })

  it.each([
    ['without iat, issuedAt is 0', {}, { issuedAt: 0 }],
    [
      'fractions of a second are kept',
      { iat: 1.5, exp: NOW + 0.25 },
      { issuedAt: 1500, expiresAt: NOW * 1000 + 250 },
    ],
    ['without azp, client_id is the app', { azp: undefined, client_id: 'other' }, { app: 'other' }],
    ['azp takes precedence over client_id', { client_id: 'other' }, { app: 'demo' }],
    ['scp may be the scopes, as text', { scope: undefined, scp: 'a  b' }, { scopes: ['a', 'b'] }],
    ['scp may be the scopes, as a list', { scope: undefined, scp: ['a', 'b'] }, { scopes: ['a', 'b'] }],
    ['scopes may be the scopes', { scope: undefined, scopes: ['a b'] }, { scopes: ['a b'] }],
    ['scopes may be absent', { scope: undefined }, { scopes: [] }],
    ['scopes may be empty', { scope: '' }, { scopes: [] }],
    ['without sub, the app has no viewer', { sub: undefined }, { viewer: undefined }],
    [
      'with the app as sub, the app has no viewer',
      { sub: '77', azp: '77' },
      { viewer: undefined, app: '77' },
    ],
  ])('gives a session with the values of its claims: %s', async (_, changes: Claims, session) => {
    expect(await verifyClaims(changes)).toMatchObject({ session })
  })

  it('may have no expiry if allowNoExpiry is set', async () => {
    const claims = { exp: undefined }
    expect(await verifyClaims(claims, { allowNoExpiry: true })).toMatchObject({
      session: { expiresAt: undefined },
    })
    for (const options of [{}, { allowNoExpiry: false }, { allowNoExpiry: undefined }]) {
      expect(await verifyClaims(claims, options)).toEqual(INVALID)
    }
    expect(await verifyClaims({ exp: NOW - 1 }, { allowNoExpiry: true })).toEqual({ failure: 'expired' })
  })

  it('is left to the next auth unless it has the required typ, in upper or lower case', async () => {
    const typed = async (typ: string | undefined, options: Partial<JwtAuthOptions>) =>
      verifyToken(await sign('HS256', secretBytes(), {}, typ === undefined ? {} : { typ }), options)
    const required = { typ: 'at+jwt' }
    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt']) {
      expect(await typed(typ, required)).toHaveProperty('session')
      expect(await typed(typ, {})).toHaveProperty('session')
    }
    for (const typ of ['JWT', 'id+jwt', '', undefined]) {
      expect(await typed(typ, required)).toEqual(UNRECOGNIZED)
      expect(await typed(typ, {})).toHaveProperty('session')
    }
    expect(() => createJwtAuth({ ...OPTIONS, typ: '' })).toThrow(
      new TypeError('createJwtAuth: "typ" must be a string that is not empty; received ""'),
    )
  })

  it('may name one of several issuers and one of several audiences', async () => {
    const options = { issuer: ['https://other.example.org', ISSUER], audience: ['other', AUDIENCE] }
    expect(await verifyClaims({ aud: ['x', 'other'] }, options)).toHaveProperty('session')
  })

  it('needs no issuer and no audience if the options name none', async () => {
    const anyone = { issuer: undefined, audience: undefined }
    expect(await verifyClaims({ iss: undefined, aud: undefined }, anyone)).toHaveProperty('session')
  })

  it.each([
    ['sub is not an id', { sub: 'ada@example.org' }],
    ['sub is a number', { sub: 1 }],
    ['sub is a public id of an app', { sub: '10000000000000000001' }],
    ['it has no app', { azp: undefined }],
    ['its app is not text', { azp: 5 }],
    ['its app is empty', { azp: '' }],
    ['its scopes are not text', { scope: 5 }],
    ['its scopes are a list with a number', { scope: ['a', 1] }],
    ['exp is out of range', { exp: 1e300 }],
    ['iat is out of range', { iat: -1e300 }],
    ['exp is not a number', { exp: '1' }],
    ['nbf is in the future', { nbf: NOW + 1 }],
  ])('is invalid if its claims give no valid session: %s', async (_, changes: Claims) => {
    expect(await verifyClaims(changes)).toEqual(INVALID)
  })
})

describe('the function `grant` in the options of createJwtAuth', () => {
  it('creates the grant of a JWT from its claims', async () => {
    const grant: JwtAuthOptions['grant'] = async claims => ({ viewer: `${claims.uid}`, app: 'mine' })
    expect(await verifyClaims({ sub: 'ada@example.org', uid: 7, iat: 1 }, { grant })).toEqual({
      session: { viewer: '7', app: 'mine', scopes: [], issuedAt: 1000, expiresAt: (NOW + 60) * 1000 },
    })
  })

  it('makes a JWT invalid if it returns undefined', async () => {
    expect(await verifyClaims({}, { grant: () => undefined })).toEqual(INVALID)
  })

  it('is called only after the signature is verified', async () => {
    const seen: unknown[] = []
    const grant: JwtAuthOptions['grant'] = claims => void seen.push(claims)
    expect(await verifyToken(`${header}.${payload}.AAAA`, { grant })).toEqual(UNRECOGNIZED)
    expect(seen).toEqual([])
  })

  it('makes the authentication fail with its own error if it throws', async () => {
    const grant = () => Promise.reject(new Error('the database is down'))
    await expect(verifyClaims({}, { grant })).rejects.toThrow('the database is down')
  })
})

describe('the validity period of a JWT', () => {
  it.each([
    [NOW, 0, 'expired'],
    [NOW - 1, 0, 'expired'],
    [NOW + 1, 0, undefined],
    [NOW - 9, 10_000, undefined],
    [NOW - 10, 10_000, 'expired'],
  ])(
    'ends at exp plus the clock tolerance: exp %i, tolerance %i ms, failure %s',
    async (exp, clockToleranceMs, failure) => {
      const authResult = await verifyClaims({ exp }, { clockToleranceMs })
      if (failure === undefined) expect(authResult).toHaveProperty('session.expiresAt', exp * 1000)
      else expect(authResult).toEqual({ failure })
    },
  )

  it('begins at nbf minus the clock tolerance', async () => {
    expect(await verifyClaims({ nbf: NOW + 10 }, { clockToleranceMs: 10_000 })).toHaveProperty('session')
    expect(await verifyClaims({ nbf: NOW + 11 }, { clockToleranceMs: 10_000 })).toEqual(INVALID)
  })

  it('is not checked for a JWT of another issuer or audience', async () => {
    expect(await verifyClaims({ exp: NOW - 1, iss: 'https://other.example.org' })).toEqual(UNRECOGNIZED)
    expect(await verifyClaims({ exp: NOW - 1, aud: 'other' })).toEqual(UNRECOGNIZED)
  })
})

describe('a token that createJwtAuth does not recognize', () => {
  it.each([
    ['an empty text', ''],
    ['a token of an app', 'demo|secret'],
    ['a token of a graph', `${'A'.repeat(43)}.${'A'.repeat(22)}`],
    ['two dots', '..'],
    ['three words', 'a.b.c'],
    ['an encrypted token', 'a.b.c.d.e'],
    ['a JWT without a signature', `${header}.${payload}.`],
    ['a truncated JWT', validToken.slice(0, -1)],
    ['a JWT with a space at its end', `${validToken} `],
    ['a JWT with a line break at its end', `${validToken}\n`],
    ['a JWT signed with another secret', otherSecretToken],
    [
      'a JWT with other claims than those signed',
      `${header}.${encodeTokenPart({ iss: ISSUER, sub: '2' })}.${signature}`,
    ],
    ['a JWT whose claims are not an object', `${header}.${encodeTokenPart([])}.${signature}`],
    ['a JWT without an algorithm', `${encodeTokenPart({})}.${payload}.${signature}`],
    ['an unsigned JWT', `${encodeTokenPart({ alg: 'none' })}.${payload}.${signature}`],
    ['a JWT with an unknown algorithm', `${encodeTokenPart({ alg: 'HS999' })}.${payload}.${signature}`],
    [
      'a JWT with an unknown critical header',
      `${encodeTokenPart({ alg: 'HS256', crit: ['x'], x: 1 })}.${payload}.${signature}`,
    ],
  ])('is left to the next auth: %s', async (_, token) => {
    expect([undefined, UNRECOGNIZED]).toContainEqual(await verifyToken(token))
  })

  it.each([
    ['another issuer', { iss: 'https://other.example.org' }],
    ['no issuer', { iss: undefined }],
    ['an issuer that is not text', { iss: [ISSUER] }],
    ['another audience', { aud: 'other' }],
    ['no audience', { aud: undefined }],
  ])('is left to the next auth: a signed JWT with %s', async (_, changes: Claims) => {
    expect(await verifyClaims(changes)).toEqual(UNRECOGNIZED)
  })

  it('is left to the next auth: a JWT of more than 8 KiB', async () => {
    const fitting = await signShared({ padding: 'x'.repeat(5_800) })
    expect(fitting.length).toBeLessThanOrEqual(8192)
    expect(await verifyToken(fitting)).toHaveProperty('session')
    const long = await signShared({ padding: 'x'.repeat(6_200) })
    expect(long.length).toBeGreaterThan(8192)
    expect(await verifyToken(long)).toBeUndefined()
  })
})

describe('the cause of the error for a JWT that is not accepted', () => {
  const graph = createGraph(createMemoryStore(), { schema, auth: createJwtAuth(OPTIONS) })
  const catchError = async (token: string, options: Partial<JwtAuthOptions> = {}): Promise<GraphError> => {
    const { getMe } = createGraph(createMemoryStore(), {
      schema,
      auth: createJwtAuth({ ...OPTIONS, ...options }),
    })
    return expectGraphError(getMe(token))
  }

  it.each<[string, Claims, Partial<JwtAuthOptions>, string]>([
    [
      'another issuer',
      { iss: 'https://other.example.org' },
      {},
      `"iss" must be one of "${ISSUER}"; received "https://other.example.org"`,
    ],
    ['no issuer', { iss: undefined }, {}, `"iss" must be one of "${ISSUER}"; received undefined`],
    ['another audience', { aud: 'other' }, {}, 'unexpected "aud" claim value; received "other"'],
    ['another typ', {}, { typ: 'at+jwt' }, 'unexpected "typ" JWT header value'],
    ['another key', {}, { secret: 'another secret of at least 32 bytes' }, 'signature verification failed'],
    ['no expiry', { exp: undefined }, {}, 'missing required "exp" claim'],
    ['a time in the future', { nbf: NOW + 60 }, {}, '"nbf" claim timestamp check failed; received'],
    ['a grant that returns undefined', {}, { grant: () => undefined }, '"grant" returned undefined'],
    [
      'claims that give no grant',
      { sub: 'ada@example.org' },
      {},
      'the claims "sub", "azp" or "client_id", and "scope" are no viewer, app and scopes',
    ],
    ['a time that is out of range', { iat: -1e300 }, {}, 'a claim of the token is not valid: "iat", "exp"'],
  ])('names the reason: %s', async (_, changes, options, reason) => {
    const error = await catchError(await signShared(changes), options)
    expect(error.reason).toBe('token_invalid')
    expect(`${error.cause}`).toContain(`createJwtAuth: ${reason}`)
  })

  it.each([
    ['with another form of id', '1', 'the id of a node, a type and a key such as "account-42", or undefined'],
    ['of a type that no viewer has', 'photo-1', 'an id that begins with "account-", or undefined'],
  ])('names a viewer %s', async (_, viewer, expected) => {
    const error = await catchError(validToken, { grant: () => ({ viewer, app: 'web' }) })
    expect(error.reason).toBe('token_invalid')
    expect(error.cause).toBeInstanceOf(TypeError)
    expect(`${error.cause}`).toContain(`"session.viewer" must be ${expected}; received "${viewer}"`)
  })

  it('contains the reasons of all auths that did not recognize the token', async () => {
    const auth = [createJwtAuth(OPTIONS), createJwtAuth({ ...OPTIONS, issuer: 'https://b.example.org' })]
    const { getMe } = createGraph(createMemoryStore(), { schema, auth })
    const { cause } = await expectGraphError(getMe(otherSecretToken))
    expect(cause).toBeInstanceOf(AggregateError)
    expect(cause).toHaveProperty('errors', [
      new Error('createJwtAuth: signature verification failed'),
      expect.objectContaining({ message: expect.stringContaining('"iss"') }),
    ])
  })

  it('contains no token and no claim but the wrong one, and no response contains the cause', async () => {
    const claims = { email: 'ada@example.org', aud: 'other' }
    for (const token of [await signShared(claims), otherSecretToken, `${header}.${payload}.AAAA`]) {
      const error = await expectGraphError(graph.getMe(token))
      const printed = inspect(error.cause, { depth: 10, showHidden: true })
      expect(error.cause).toBeInstanceOf(Error)
      expect(printed).not.toContain('ada@example.org')
      for (const part of token.split('.')) expect(printed).not.toContain(part)
      const response = await createHandler(graph)(
        new Request(`http://graph.example/me?access_token=${token}`),
      )
      const text = await response.text()
      expect(text).toContain('"reason":"token_invalid"')
      expect(text).not.toContain('createJwtAuth')
    }
  })

  it('reaches onError of a handler', async () => {
    const errors: GraphError[] = []
    const handler = createHandler(graph, { onError: error => errors.push(error) })
    await handler(new Request(`http://graph.example/me?access_token=${otherSecretToken}`))
    expect(`${errors[0]?.cause}`).toContain('signature verification failed')
  })
})
