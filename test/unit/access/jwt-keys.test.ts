import {
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
  webcrypto,
} from 'node:crypto'
import { importJWK } from 'jose'
import { createJwtAuth, type JwtAuthOptions } from 'kithgraph/jwt'
import { describe, expect, it } from 'vitest'
import {
  CLAIMS,
  ecPair,
  edPair,
  jwkOf,
  now,
  type Pair,
  partOf,
  rsaPair,
  SECRET,
  secretBytes,
  sign,
} from './jwt-issuer.ts'

const rsa = rsaPair()
const otherRsa = rsaPair()
const ec = ecPair()
const ed = edPair()
const PAIRS = [rsa, ec, ed]

const judge = async (options: JwtAuthOptions, token: string) =>
  createJwtAuth({ now, ...options }).authenticate(token, undefined, undefined)

const signedBy = ({ alg, privateKey }: Pair, header?: { kid?: string }): Promise<string> =>
  sign(alg, privateKey, {}, header)

const pem = ({ publicKey }: Pair): string => publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** A token that says that it is signed by the HMAC of something public. */
const forged = (key: string | Uint8Array, alg = 'HS256'): Promise<string> =>
  sign(alg, typeof key === 'string' ? secretBytes(key) : key)

describe('a secret', () => {
  it('may be text or bytes', async () => {
    const token = await sign('HS256', secretBytes())
    expect(await judge({ secret: SECRET }, token)).toHaveProperty('session')
    expect(await judge({ secret: secretBytes() }, token)).toHaveProperty('session')
  })

  it('does not change with the bytes that it was given as', async () => {
    const secret = secretBytes()
    const auth = createJwtAuth({ secret, now })
    secret.fill(0)
    expect(await auth.authenticate(await forged(SECRET), undefined, undefined)).toHaveProperty('session')
    expect(await auth.authenticate(await forged(secret), undefined, undefined)).toBeUndefined()
  })

  it('takes HS256 alone, unless others are asked for', async () => {
    const token = await forged(SECRET, 'HS512')
    expect(await judge({ secret: SECRET }, token)).toBeUndefined()
    expect(await judge({ secret: SECRET, algorithms: ['HS512'] }, token)).toHaveProperty('session')
  })
})

describe.each(PAIRS)('a public key for $alg', pair => {
  it('may be a KeyObject, a CryptoKey or a JWK', async () => {
    const token = await signedBy(pair, { kid: 'whatever it is called' })
    const jwk = await jwkOf(pair)
    const cryptoKey = await importJWK(jwk, pair.alg, { extractable: true })
    if (cryptoKey instanceof Uint8Array) throw new Error('expected a key')
    for (const publicKey of [
      pair.publicKey,
      cryptoKey,
      jwk,
      { ...jwk, kid: 'a', alg: pair.alg, use: 'sig' },
    ]) {
      expect(await judge({ publicKey }, token)).toHaveProperty('session')
    }
  })

  it('takes no token of another key, of the same kind or another', async () => {
    for (const other of [rsaPair(), ecPair(), edPair()]) {
      expect(await judge({ publicKey: pair.publicKey }, await signedBy(other))).toBeUndefined()
    }
  })

  it('is no secret that a token could be signed with', async () => {
    const jwk = await jwkOf(pair)
    const publicTexts = [pem(pair), pem(pair).trim(), JSON.stringify(jwk), jwk.x ?? jwk.n ?? '']
    const der = new Uint8Array(pair.publicKey.export({ type: 'spki', format: 'der' }))
    for (const text of [...publicTexts, der]) {
      for (const publicKey of [pair.publicKey, jwk, { ...jwk, alg: 'HS256' }]) {
        expect(await judge({ publicKey }, await forged(text))).toBeUndefined()
        expect(await judge({ jwks: { keys: [await jwkOf(pair)] } }, await forged(text))).toBeUndefined()
      }
    }
  })

  it('is not taken from the token itself', async () => {
    const jwk = await jwkOf(otherRsa)
    const [, payload = ''] = (await signedBy(otherRsa)).split('.')
    const header = partOf({ alg: 'RS256', jwk, jku: 'https://evil.example.org' })
    const signature = signBytes('sha256', Buffer.from(`${header}.${payload}`), otherRsa.privateKey)
    const token = `${header}.${payload}.${signature.toString('base64url')}`
    expect(await judge({ publicKey: otherRsa.publicKey }, token)).toHaveProperty('session')
    expect(await judge({ publicKey: pair.publicKey }, token)).toBeUndefined()
  })
})

describe('the algorithms', () => {
  it('are others where they are asked for', async () => {
    const token = await sign('PS256', rsa.privateKey)
    expect(await judge({ publicKey: rsa.publicKey }, token)).toBeUndefined()
    expect(await judge({ publicKey: rsa.publicKey, algorithms: ['PS256'] }, token)).toHaveProperty('session')
    expect(
      await judge({ publicKey: rsa.publicKey, algorithms: ['PS256'] }, await signedBy(rsa)),
    ).toBeUndefined()
  })
})

describe('a set of keys', () => {
  it('finds the key that the token names', async () => {
    const jwks = { keys: await Promise.all(PAIRS.map(pair => jwkOf(pair, { kid: pair.alg }))) }
    for (const pair of PAIRS) {
      expect(await judge({ jwks }, await signedBy(pair, { kid: pair.alg }))).toHaveProperty('session')
      expect(await judge({ jwks }, await signedBy(pair, { kid: 'other' }))).toBeUndefined()
    }
    expect(await judge({ jwks }, await signedBy(otherRsa, { kid: 'RS256' }))).toBeUndefined()
  })

  it('tries all that fit where the token names none', async () => {
    const jwks = { keys: [await jwkOf(rsa, { kid: 'a' }), await jwkOf(otherRsa, { kid: 'b' })] }
    expect(await judge({ jwks }, await signedBy(rsa))).toHaveProperty('session')
    expect(await judge({ jwks }, await signedBy(otherRsa))).toHaveProperty('session')
    expect(await judge({ jwks }, await signedBy(rsaPair()))).toBeUndefined()
    const late = await sign('RS256', otherRsa.privateKey, { exp: CLAIMS.exp - 60 })
    expect(await judge({ jwks }, late)).toEqual({ refused: 'expired' })
  })

  it('does not change with the data that it was given as', async () => {
    const jwks = { keys: [await jwkOf(rsa)] }
    const auth = createJwtAuth({ jwks, now })
    jwks.keys[0] = await jwkOf(otherRsa)
    expect(await auth.authenticate(await signedBy(otherRsa), undefined, undefined)).toBeUndefined()
    const publicKey = await jwkOf(rsa)
    const single = createJwtAuth({ publicKey, now })
    Object.assign(publicKey, await jwkOf(otherRsa))
    expect(await single.authenticate(await signedBy(otherRsa), undefined, undefined)).toBeUndefined()
  })
})

describe('a key that is too weak', () => {
  it('says nothing of the token: it is no verdict', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const [, payload = ''] = (await signedBy(rsa)).split('.')
    const token = `${partOf({ alg: 'RS256' })}.${payload}.AAAA`
    await expect(judge({ publicKey: weak.publicKey }, token)).rejects.toThrow('2048 bits')
  })
})

describe('options that are none', () => {
  const create = (options: unknown) => (): unknown => Reflect.apply(createJwtAuth, undefined, [options])
  const oct = { kty: 'oct', k: 'AAAA' }
  const keys = { secret: SECRET }

  it.each([
    [undefined, 'expected one of secret, publicKey and jwks, came none'],
    [null, 'expected one of secret, publicKey and jwks, came none'],
    ['https://id.example.org', 'expected options as an object, came "https://id.example.org"'],
    [{}, 'expected one of secret, publicKey and jwks, came none'],
    [
      { ...keys, jwks: 'https://id.example.org' },
      'expected one of secret, publicKey and jwks, came secret and jwks',
    ],
    [{ secrets: [] }, 'unknown option "secrets"; expected one of secret, publicKey, jwks, algorithms'],
    [{ secret: 5 }, 'secret must be text or bytes, came 5'],
    [{ secret: 'short' }, 'secret must be of at least 32 bytes, came one of 5'],
    [{ secret: new Uint8Array(31) }, 'secret must be of at least 32 bytes, came one of 31'],
    [
      { publicKey: pem(rsa) },
      'publicKey must be a key, which createPublicKey of node:crypto makes of PEM text, came text',
    ],
    [{ publicKey: 5 }, 'publicKey must be a public CryptoKey (extractable), KeyObject or JWK, came 5'],
    [
      { publicKey: oct },
      'publicKey must be a public CryptoKey (extractable), KeyObject or JWK, came a key of kty "oct"',
    ],
    [
      { publicKey: rsa.privateKey },
      'publicKey must be a public CryptoKey (extractable), KeyObject or JWK, came a private key',
    ],
    [{ publicKey: createSecretKey(secretBytes()) }, 'KeyObject or JWK, came a secret key'],
    [{ publicKey: { kty: 'RSA', d: 'x' } }, 'KeyObject or JWK, came a key of kty "RSA"'],
    [{ jwks: 5 }, 'jwks must be a URL, or a set of public keys, came 5'],
    [
      { jwks: 'id.example.org/keys' },
      'jwks must be a URL of http or https, or a set of public keys, came "id.example.org/keys"',
    ],
    [{ ...keys, allowNoExpiry: 'yes' }, '"allowNoExpiry" must be a boolean; received "yes"'],
    [{ jwks: 'file:///etc/keys' }, 'jwks must be a URL of http or https'],
    [{ jwks: { keys: [] } }, 'jwks must be a URL, or a set of public keys, came an object with keys'],
    [{ jwks: { keys: [oct] } }, 'jwks.keys[0] must be a public JWK, came a key of kty "oct"'],
    [{ jwks: { keys: [null] } }, 'jwks.keys[0] must be a public JWK, came null'],
    [{ ...keys, algorithms: [] }, 'algorithms must be of HS256, HS384, HS512 with a secret, came none'],
    [
      { ...keys, algorithms: ['none'] },
      'algorithms must be of HS256, HS384, HS512 with a secret, came "none"',
    ],
    [
      { ...keys, algorithms: ['RS256'] },
      'algorithms must be of HS256, HS384, HS512 with a secret, came "RS256"',
    ],
    [
      { publicKey: rsa.publicKey, algorithms: ['RS256', 'HS256'] },
      'EdDSA, Ed25519 with public keys, came "HS256"',
    ],
    [{ ...keys, algorithms: 'HS256' }, 'algorithms must be a list of text, came "HS256"'],
    [{ ...keys, issuer: '' }, 'issuer must be text or a list of text, none of it empty, came ""'],
    [{ ...keys, issuer: [] }, 'issuer must be text or a list of text, none of it empty, came a list of 0'],
    [
      { ...keys, audience: ['a', ''] },
      'audience must be text or a list of text, none of it empty, came a list of 2',
    ],
    [{ ...keys, audience: null }, 'audience must be text or a list of text, none of it empty, came null'],
    [{ ...keys, clockTolerance: -1 }, 'clockTolerance must be seconds, 0 or more, came -1'],
    [{ ...keys, clockTolerance: '5s' }, 'clockTolerance must be seconds, 0 or more, came "5s"'],
    [
      { ...keys, clockTolerance: Number.POSITIVE_INFINITY },
      'clockTolerance must be seconds, 0 or more, came Infinity',
    ],
    [{ ...keys, grant: {} }, 'grant must be a function, came an empty object'],
    [{ ...keys, now: 5 }, 'now must be a function, came 5'],
  ])('are misuse: %o', (options, message) => {
    expect(create(options)).toThrow(TypeError)
    expect(create(options)).toThrow('createJwtAuth: ')
    expect(create(options)).toThrow(message)
  })

  it('are misuse: a CryptoKey that its runtime does not let out', async () => {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    const locked = await webcrypto.subtle.importKey('jwk', await jwkOf(ec), algorithm, false, ['verify'])
    expect(create({ publicKey: locked })).toThrow('came a public key')
  })

  it('may be undefined', () => {
    const names = ['publicKey', 'jwks', 'algorithms', 'issuer', 'audience', 'clockTolerance', 'grant', 'now']
    expect(create({ ...keys, ...Object.fromEntries(names.map(name => [name, undefined])) })).not.toThrow()
  })
})

/** How the docs say that a PEM becomes a key. */
describe('a PEM', () => {
  it.each(PAIRS)('becomes a key by createPublicKey: $alg', async pair => {
    const publicKey: KeyObject = createPublicKey(pem(pair))
    expect(await judge({ publicKey }, await signedBy(pair))).toHaveProperty('session')
  })
})
