import { createJwtAuth, type JwtAuthOptions } from 'kithgraph/jwt'
import { describe, expect, it } from 'vitest'
import { UNKNOWN } from '../../../src/access/auth.ts'
import { AUDIENCE, ISSUER, NOW, now, partOf, SECRET, secretBytes, sign, signShared } from './jwt-issuer.ts'

const OPTIONS = { secret: SECRET, issuer: ISSUER, audience: AUDIENCE, now } as const

const judge = async (token: string, options: Partial<JwtAuthOptions> = {}) =>
  createJwtAuth({ ...OPTIONS, ...options }).authenticate(token, undefined, undefined)

type Claims = { readonly [claim: string]: unknown }

const judgeClaims = async (changes: Claims, options: Partial<JwtAuthOptions> = {}) =>
  judge(await signShared(changes), options)

const good = await signShared()
const [header = '', payload = '', signature = ''] = good.split('.')
const resigned = await sign('HS256', secretBytes('another secret of at least 32 bytes'))

describe('a good token', () => {
  it('is a session of its claims', async () => {
    expect(await judgeClaims({ iat: NOW - 5 })).toEqual({
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
    ['no time of issue is told as 0', {}, { issuedAt: 0 }],
    [
      'parts of seconds are kept',
      { iat: 1.5, exp: NOW + 0.25 },
      { issuedAt: 1500, expiresAt: NOW * 1000 + 250 },
    ],
    ['the app may be client_id', { azp: undefined, client_id: 'other' }, { app: 'other' }],
    ['azp comes before client_id', { client_id: 'other' }, { app: 'demo' }],
    ['scopes may be scp, as text', { scope: undefined, scp: 'a  b' }, { scopes: ['a', 'b'] }],
    ['scopes may be scp, as a list', { scope: undefined, scp: ['a', 'b'] }, { scopes: ['a', 'b'] }],
    ['scopes may be scopes', { scope: undefined, scopes: ['a b'] }, { scopes: ['a b'] }],
    ['scopes may be none', { scope: undefined }, { scopes: [] }],
    ['scopes may be empty', { scope: '' }, { scopes: [] }],
    ['without sub it is the app itself', { sub: undefined }, { viewer: undefined }],
    ['with the app as sub it is the app itself', { sub: '77', azp: '77' }, { viewer: undefined, app: '77' }],
  ])('%s', async (_, changes: Claims, session) => {
    expect(await judgeClaims(changes)).toMatchObject({ session })
  })

  it('may have no end if that is allowed', async () => {
    const claims = { exp: undefined }
    expect(await judgeClaims(claims, { allowNoExpiry: true })).toMatchObject({
      session: { expiresAt: undefined },
    })
    for (const options of [{}, { allowNoExpiry: false }, { allowNoExpiry: undefined }]) {
      expect(await judgeClaims(claims, options)).toEqual(UNKNOWN)
    }
    expect(await judgeClaims({ exp: NOW - 1 }, { allowNoExpiry: true })).toEqual({ refused: 'expired' })
  })

  it('has the typ that is required, whatever its case; any other token is left to the next kind', async () => {
    const typed = async (typ: string | undefined, options: Partial<JwtAuthOptions>) =>
      judge(await sign('HS256', secretBytes(), {}, typ === undefined ? {} : { typ }), options)
    const required = { typ: 'at+jwt' }
    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt']) {
      expect(await typed(typ, required)).toHaveProperty('session')
      expect(await typed(typ, {})).toHaveProperty('session')
    }
    for (const typ of ['JWT', 'id+jwt', '', undefined]) {
      expect(await typed(typ, required)).toBeUndefined()
      expect(await typed(typ, {})).toHaveProperty('session')
    }
    expect(() => createJwtAuth({ ...OPTIONS, typ: '' })).toThrow(
      new TypeError('createJwtAuth: "typ" must be text that is not empty; received ""'),
    )
  })

  it('may name one of several issuers, and one of several audiences', async () => {
    const options = { issuer: ['https://other.example.org', ISSUER], audience: ['other', AUDIENCE] }
    expect(await judgeClaims({ aud: ['x', 'other'] }, options)).toHaveProperty('session')
  })

  it('needs no issuer and no audience where none is asked', async () => {
    const anyone = { issuer: undefined, audience: undefined }
    expect(await judgeClaims({ iss: undefined, aud: undefined }, anyone)).toHaveProperty('session')
  })

  it.each([
    ['no id of a node', { sub: 'ada@example.org' }],
    ['a number', { sub: 1 }],
    ['a public id of an app', { sub: '10000000000000000001' }],
    ['without an app', { azp: undefined }],
    ['with an app that is no text', { azp: 5 }],
    ['with an empty app', { azp: '' }],
    ['with scopes that are no words', { scope: 5 }],
    ['with scopes that are a list of others', { scope: ['a', 1] }],
    ['of a time that no clock comes to', { exp: 1e300 }],
    ['issued at a time that no clock comes to', { iat: -1e300 }],
    ['with an end that is no number', { exp: '1' }],
    ['not yet valid', { nbf: NOW + 1 }],
  ])('is unknown where its claims make no session: %s', async (_, changes: Claims) => {
    expect(await judgeClaims(changes)).toEqual(UNKNOWN)
  })
})

describe('the claims as a service of its own reads them', () => {
  it('are the grant that it makes of them', async () => {
    const grant: JwtAuthOptions['grant'] = async claims => ({ viewer: `${claims.uid}`, app: 'mine' })
    expect(await judgeClaims({ sub: 'ada@example.org', uid: 7, iat: 1 }, { grant })).toEqual({
      session: { viewer: '7', app: 'mine', scopes: [], issuedAt: 1000, expiresAt: (NOW + 60) * 1000 },
    })
  })

  it('are nobody where it makes none', async () => {
    expect(await judgeClaims({}, { grant: () => undefined })).toEqual(UNKNOWN)
  })

  it('are not looked at before the signature is checked', async () => {
    const seen: unknown[] = []
    const grant: JwtAuthOptions['grant'] = claims => void seen.push(claims)
    expect(await judge(`${header}.${payload}.AAAA`, { grant })).toBeUndefined()
    expect(seen).toEqual([])
  })

  it('are no verdict where it fails', async () => {
    const grant = () => Promise.reject(new Error('the database is down'))
    await expect(judgeClaims({}, { grant })).rejects.toThrow('the database is down')
  })
})

describe('the time of a token', () => {
  it.each([
    [NOW, 0, 'expired'],
    [NOW - 1, 0, 'expired'],
    [NOW + 1, 0, undefined],
    [NOW - 9, 10, undefined],
    [NOW - 10, 10, 'expired'],
  ])('ends at %i, with %i seconds of tolerance: %s', async (exp, clockTolerance, refused) => {
    const verdict = await judgeClaims({ exp }, { clockTolerance })
    if (refused === undefined) expect(verdict).toHaveProperty('session.expiresAt', exp * 1000)
    else expect(verdict).toEqual({ refused })
  })

  it('begins within the tolerance', async () => {
    expect(await judgeClaims({ nbf: NOW + 10 }, { clockTolerance: 10 })).toHaveProperty('session')
    expect(await judgeClaims({ nbf: NOW + 11 }, { clockTolerance: 10 })).toEqual(UNKNOWN)
  })

  it('is nobody’s business where the token is another issuer’s', async () => {
    expect(await judgeClaims({ exp: NOW - 1, iss: 'https://other.example.org' })).toBeUndefined()
    expect(await judgeClaims({ exp: NOW - 1, aud: 'other' })).toBeUndefined()
  })
})

describe('a token of another kind is left to the next', () => {
  it.each([
    ['empty', ''],
    ['text', 'demo|secret'],
    ['a token of a graph', `${'A'.repeat(43)}.${'A'.repeat(22)}`],
    ['two dots', '..'],
    ['three words', 'a.b.c'],
    ['an encrypted token', 'a.b.c.d.e'],
    ['without a signature', `${header}.${payload}.`],
    ['cut', good.slice(0, -1)],
    ['with a blank', `${good} `],
    ['with a line end', `${good}\n`],
    ['a signature of another secret', resigned],
    ['other claims under the signature', `${header}.${partOf({ iss: ISSUER, sub: '2' })}.${signature}`],
    ['claims that are no object', `${header}.${partOf([])}.${signature}`],
    ['without an algorithm', `${partOf({})}.${payload}.${signature}`],
    ['unsigned', `${partOf({ alg: 'none' })}.${payload}.${signature}`],
    ['of an algorithm that is none', `${partOf({ alg: 'HS999' })}.${payload}.${signature}`],
    [
      'with a part that must be understood and is not',
      `${partOf({ alg: 'HS256', crit: ['x'], x: 1 })}.${payload}.${signature}`,
    ],
  ])('%s', async (_, token) => {
    expect(await judge(token)).toBeUndefined()
  })

  it.each([
    ['another issuer', { iss: 'https://other.example.org' }],
    ['no issuer', { iss: undefined }],
    ['an issuer that is no text', { iss: [ISSUER] }],
    ['another audience', { aud: 'other' }],
    ['no audience', { aud: undefined }],
  ])('signed well, but of %s', async (_, changes: Claims) => {
    expect(await judgeClaims(changes)).toBeUndefined()
  })

  it('that is longer than 8 KiB', async () => {
    const fitting = await signShared({ padding: 'x'.repeat(5_800) })
    expect(fitting.length).toBeLessThanOrEqual(8192)
    expect(await judge(fitting)).toHaveProperty('session')
    const long = await signShared({ padding: 'x'.repeat(6_200) })
    expect(long.length).toBeGreaterThan(8192)
    expect(await judge(long)).toBeUndefined()
  })
})
