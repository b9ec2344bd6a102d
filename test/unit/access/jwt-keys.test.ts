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
  createEcPair,
  createEdPair,
  createRsaPair,
  encodeTokenPart,
  type KeyPair,
  now,
  SECRET,
  secretBytes,
  sign,
  toJwk,
  UNRECOGNIZED,
} from './jwt-issuer.ts'

const rsa = createRsaPair()
const otherRsa = createRsaPair()
const ec = createEcPair()
const ed = createEdPair()
const PAIRS = [rsa, ec, ed]

const verifyToken = async (options: JwtAuthOptions, token: string) =>
  createJwtAuth({ now, ...options }).authenticate(token, undefined, undefined)

const signWithPair = ({ alg, privateKey }: KeyPair, header?: { kid?: string }): Promise<string> =>
  sign(alg, privateKey, {}, header)

const toPem = ({ publicKey }: KeyPair): string => publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** Signs a token with an HMAC, as an attacker does with a key that is public. */
const forgeToken = (key: string | Uint8Array, alg = 'HS256'): Promise<string> =>
  sign(alg, typeof key === 'string' ? secretBytes(key) : key)

describe('the secret of createJwtAuth', () => {
  it('may be text or bytes', async () => {
    const token = await sign('HS256', secretBytes())
    expect(await verifyToken({ secret: SECRET }, token)).toHaveProperty('session')
    expect(await verifyToken({ secret: secretBytes() }, token)).toHaveProperty('session')
  })

  it('does not change if the caller changes the given bytes', async () => {
    const secret = secretBytes()
    const auth = createJwtAuth({ secret, now })
    secret.fill(0)
    expect(await auth.authenticate(await forgeToken(SECRET), undefined, undefined)).toHaveProperty('session')
    expect(await auth.authenticate(await forgeToken(secret), undefined, undefined)).toEqual(UNRECOGNIZED)
  })

  it('accepts only HS256 unless `algorithms` names others', async () => {
    const token = await forgeToken(SECRET, 'HS512')
    expect(await verifyToken({ secret: SECRET }, token)).toEqual(UNRECOGNIZED)
    expect(await verifyToken({ secret: SECRET, algorithms: ['HS512'] }, token)).toHaveProperty('session')
  })
})

describe.each(PAIRS)('the public key of createJwtAuth for $alg', pair => {
  it('may be a KeyObject, a CryptoKey or a JWK', async () => {
    const token = await signWithPair(pair, { kid: 'whatever it is called' })
    const jwk = await toJwk(pair)
    const cryptoKey = await importJWK(jwk, pair.alg, { extractable: true })
    if (cryptoKey instanceof Uint8Array) throw new Error('expected a key')
    for (const publicKey of [
      pair.publicKey,
      cryptoKey,
      jwk,
      { ...jwk, kid: 'a', alg: pair.alg, use: 'sig' },
    ]) {
      expect(await verifyToken({ publicKey }, token)).toHaveProperty('session')
    }
  })

  it('rejects tokens that another key signed, of the same or another algorithm', async () => {
    for (const other of [createRsaPair(), createEcPair(), createEdPair()]) {
      expect(await verifyToken({ publicKey: pair.publicKey }, await signWithPair(other))).toEqual(
        UNRECOGNIZED,
      )
    }
  })

  it('is never used as the secret of an HMAC', async () => {
    const jwk = await toJwk(pair)
    const publicTexts = [toPem(pair), toPem(pair).trim(), JSON.stringify(jwk), jwk.x ?? jwk.n ?? '']
    const der = new Uint8Array(pair.publicKey.export({ type: 'spki', format: 'der' }))
    for (const text of [...publicTexts, der]) {
      for (const publicKey of [pair.publicKey, jwk, { ...jwk, alg: 'HS256' }]) {
        expect(await verifyToken({ publicKey }, await forgeToken(text))).toEqual(UNRECOGNIZED)
        expect(await verifyToken({ jwks: { keys: [await toJwk(pair)] } }, await forgeToken(text))).toEqual(
          UNRECOGNIZED,
        )
      }
    }
  })

  it('is never read from the token itself', async () => {
    const jwk = await toJwk(otherRsa)
    const [, payload = ''] = (await signWithPair(otherRsa)).split('.')
    const header = encodeTokenPart({ alg: 'RS256', jwk, jku: 'https://evil.example.org' })
    const signature = signBytes('sha256', Buffer.from(`${header}.${payload}`), otherRsa.privateKey)
    const token = `${header}.${payload}.${signature.toString('base64url')}`
    expect(await verifyToken({ publicKey: otherRsa.publicKey }, token)).toHaveProperty('session')
    expect(await verifyToken({ publicKey: pair.publicKey }, token)).toEqual(UNRECOGNIZED)
  })
})

describe('the option algorithms of createJwtAuth', () => {
  it('replaces the default algorithms', async () => {
    const token = await sign('PS256', rsa.privateKey)
    expect(await verifyToken({ publicKey: rsa.publicKey }, token)).toEqual(UNRECOGNIZED)
    expect(await verifyToken({ publicKey: rsa.publicKey, algorithms: ['PS256'] }, token)).toHaveProperty(
      'session',
    )
    expect(
      await verifyToken({ publicKey: rsa.publicKey, algorithms: ['PS256'] }, await signWithPair(rsa)),
    ).toEqual(UNRECOGNIZED)
  })
})

describe('the key set of createJwtAuth', () => {
  it('verifies a token with the key that the token names', async () => {
    const jwks = { keys: await Promise.all(PAIRS.map(pair => toJwk(pair, { kid: pair.alg }))) }
    for (const pair of PAIRS) {
      expect(await verifyToken({ jwks }, await signWithPair(pair, { kid: pair.alg }))).toHaveProperty(
        'session',
      )
      expect(await verifyToken({ jwks }, await signWithPair(pair, { kid: 'other' }))).toEqual(UNRECOGNIZED)
    }
    expect(await verifyToken({ jwks }, await signWithPair(otherRsa, { kid: 'RS256' }))).toEqual(UNRECOGNIZED)
  })

  it('verifies a token that names no key with each key of the same algorithm', async () => {
    const jwks = { keys: [await toJwk(rsa, { kid: 'a' }), await toJwk(otherRsa, { kid: 'b' })] }
    expect(await verifyToken({ jwks }, await signWithPair(rsa))).toHaveProperty('session')
    expect(await verifyToken({ jwks }, await signWithPair(otherRsa))).toHaveProperty('session')
    expect(await verifyToken({ jwks }, await signWithPair(createRsaPair()))).toEqual(UNRECOGNIZED)
    const late = await sign('RS256', otherRsa.privateKey, { exp: CLAIMS.exp - 60 })
    expect(await verifyToken({ jwks }, late)).toEqual({ failure: 'expired' })
  })

  it('does not change if the caller changes the given keys', async () => {
    const jwks = { keys: [await toJwk(rsa)] }
    const auth = createJwtAuth({ jwks, now })
    jwks.keys[0] = await toJwk(otherRsa)
    expect(await auth.authenticate(await signWithPair(otherRsa), undefined, undefined)).toEqual(UNRECOGNIZED)
    const publicKey = await toJwk(rsa)
    const single = createJwtAuth({ publicKey, now })
    Object.assign(publicKey, await toJwk(otherRsa))
    expect(await single.authenticate(await signWithPair(otherRsa), undefined, undefined)).toEqual(
      UNRECOGNIZED,
    )
  })
})

describe('a weak public key', () => {
  it('makes the authentication throw an error instead of rejecting the token', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const [, payload = ''] = (await signWithPair(rsa)).split('.')
    const token = `${encodeTokenPart({ alg: 'RS256' })}.${payload}.AAAA`
    await expect(verifyToken({ publicKey: weak.publicKey }, token)).rejects.toThrow('2048 bits')
  })
})

describe('the options of createJwtAuth', () => {
  const create = (options: unknown) => (): unknown => Reflect.apply(createJwtAuth, undefined, [options])
  const oct = { kty: 'oct', k: 'AAAA' }
  const keys = { secret: SECRET }

  it.each([
    [undefined, 'createJwtAuth: the key must be one of "secret", "publicKey" and "jwks"; received none'],
    [null, 'createJwtAuth: the key must be one of "secret", "publicKey" and "jwks"; received none'],
    [
      'https://id.example.org',
      'createJwtAuth: "options" must be an object; received "https://id.example.org"',
    ],
    [{}, 'createJwtAuth: the key must be one of "secret", "publicKey" and "jwks"; received none'],
    [
      { ...keys, jwks: 'https://id.example.org' },
      'createJwtAuth: the key must be one of "secret", "publicKey" and "jwks"; received "secret" and "jwks"',
    ],
    [
      { secrets: [] },
      'createJwtAuth: options must be one of "secret", "publicKey", "jwks", "algorithms", "issuer", "audience", "typ", "allowNoExpiry", "clockToleranceMs", "claims", "grant", "now"; received "secrets"; did you mean secret?',
    ],
    [{ secret: 5 }, 'createJwtAuth: "secret" must be a string or bytes; received a value of type number'],
    [{ secret: 'short' }, 'createJwtAuth: "secret" must be at least 32 bytes; received 5 bytes'],
    [{ secret: new Uint8Array(31) }, 'createJwtAuth: "secret" must be at least 32 bytes; received 31 bytes'],
    [
      { publicKey: toPem(rsa) },
      'createJwtAuth: "publicKey" must be a key, such as the result of createPublicKey() of node:crypto for PEM; received a string',
    ],
    [
      { publicKey: 5 },
      'createJwtAuth: "publicKey" must be a public CryptoKey (extractable), KeyObject or JWK; received 5',
    ],
    [
      { publicKey: oct },
      'createJwtAuth: "publicKey" must be a public CryptoKey (extractable), KeyObject or JWK; received a key of kty "oct"',
    ],
    [
      { publicKey: rsa.privateKey },
      'createJwtAuth: "publicKey" must be a public CryptoKey (extractable), KeyObject or JWK; received a private key',
    ],
    [
      { publicKey: createSecretKey(secretBytes()) },
      'createJwtAuth: "publicKey" must be a public CryptoKey (extractable), KeyObject or JWK; received a secret key',
    ],
    [
      { publicKey: { kty: 'RSA', d: 'x' } },
      'createJwtAuth: "publicKey" must be a public CryptoKey (extractable), KeyObject or JWK; received a key of kty "RSA"',
    ],
    [{ jwks: 5 }, 'createJwtAuth: "jwks" must be a URL, or a set of public keys; received 5'],
    [
      { jwks: 'id.example.org/keys' },
      'createJwtAuth: "jwks" must be a URL of http or https, or a set of public keys; received "id.example.org/keys"',
    ],
    [{ ...keys, allowNoExpiry: 'yes' }, '"allowNoExpiry" must be a boolean; received "yes"'],
    [
      { jwks: 'file:///etc/keys' },
      'createJwtAuth: "jwks" must be a URL of http or https, or a set of public keys; received "file:///etc/keys"',
    ],
    [
      { jwks: { keys: [] } },
      'createJwtAuth: "jwks" must be a URL, or a set of public keys; received an object with keys',
    ],
    [
      { jwks: { keys: [oct] } },
      'createJwtAuth: "jwks.keys[0]" must be a public JWK; received a key of kty "oct"',
    ],
    [{ jwks: { keys: [null] } }, 'createJwtAuth: "jwks.keys[0]" must be a public JWK; received null'],
    [
      { ...keys, algorithms: [] },
      'createJwtAuth: "algorithms" must be an array of HS256, HS384, HS512 for a secret; received none',
    ],
    [
      { ...keys, algorithms: ['none'] },
      'createJwtAuth: "algorithms" must be an array of HS256, HS384, HS512 for a secret; received "none"',
    ],
    [
      { ...keys, algorithms: ['RS256'] },
      'createJwtAuth: "algorithms" must be an array of HS256, HS384, HS512 for a secret; received "RS256"',
    ],
    [
      { publicKey: rsa.publicKey, algorithms: ['RS256', 'HS256'] },
      'createJwtAuth: "algorithms" must be an array of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519 for public keys; received "HS256"',
    ],
    [
      { ...keys, algorithms: 'HS256' },
      'createJwtAuth: "algorithms" must be an array of strings; received "HS256"',
    ],
    [
      { ...keys, issuer: '' },
      'createJwtAuth: "issuer" must be a string or an array of strings, none of them empty; received ""',
    ],
    [
      { ...keys, issuer: [] },
      'createJwtAuth: "issuer" must be a string or an array of strings, none of them empty; received an array of length 0',
    ],
    [
      { ...keys, audience: ['a', ''] },
      'createJwtAuth: "audience" must be a string or an array of strings, none of them empty; received an array of length 2',
    ],
    [
      { ...keys, audience: null },
      'createJwtAuth: "audience" must be a string or an array of strings, none of them empty; received null',
    ],
    [
      { ...keys, clockToleranceMs: -1 },
      'createJwtAuth: "clockToleranceMs" must be a number of at least 0; received -1',
    ],
    [
      { ...keys, clockToleranceMs: '5s' },
      'createJwtAuth: "clockToleranceMs" must be a number of at least 0; received "5s"',
    ],
    [
      { ...keys, clockToleranceMs: Number.POSITIVE_INFINITY },
      'createJwtAuth: "clockToleranceMs" must be a number of at least 0; received Infinity',
    ],
    [{ ...keys, grant: {} }, 'createJwtAuth: "grant" must be a function; received an empty object'],
    [{ ...keys, now: 5 }, 'createJwtAuth: "now" must be a function; received 5'],
  ])('are rejected with a usage error if they are invalid: %o', (options, message) => {
    expect(create(options)).toThrow(TypeError)
    expect(create(options)).toThrow('createJwtAuth: ')
    expect(create(options)).toThrow(message)
  })

  it('are rejected with a usage error if a CryptoKey is not extractable', async () => {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    const unextractable = await webcrypto.subtle.importKey('jwk', await toJwk(ec), algorithm, false, [
      'verify',
    ])
    expect(create({ publicKey: unextractable })).toThrow(
      'createJwtAuth: "publicKey" must be a public CryptoKey (extractable), KeyObject or JWK; received a public key',
    )
  })

  it('may be undefined if the secret is set', () => {
    const names = [
      'publicKey',
      'jwks',
      'algorithms',
      'issuer',
      'audience',
      'clockToleranceMs',
      'grant',
      'now',
    ]
    expect(create({ ...keys, ...Object.fromEntries(names.map(name => [name, undefined])) })).not.toThrow()
  })
})

// The documentation recommends this conversion.
describe('a PEM text', () => {
  it.each(PAIRS)('is accepted as a public key once createPublicKey has parsed it: $alg', async pair => {
    const publicKey: KeyObject = createPublicKey(toPem(pair))
    expect(await verifyToken({ publicKey }, await signWithPair(pair))).toHaveProperty('session')
  })
})
