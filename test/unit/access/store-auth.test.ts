import { describe, expect, it } from 'vitest'
import { StoreAuth } from '../../../src/access/store-auth.ts'
import {
  computeTokenFamily,
  createToken,
  digestToken,
  digestTokenFamily,
} from '../../../src/access/token-family.ts'
import type { TokenRecord } from '../../../src/store/contract.ts'

const NOW = 1_000_000
const SECRET = 'the secret'
const TOKEN = createToken('1', SECRET)

const auth = new StoreAuth({ now: () => NOW, secret: SECRET, kind: 'digits', appSecrets: { demo: 'hush' } })

const createTokenRecord = (changes: Partial<TokenRecord> = {}): TokenRecord => ({
  viewer: '1',
  app: 'demo',
  scopes: ['email'],
  issuedAt: NOW - 10,
  expiresAt: undefined,
  revokedAt: undefined,
  generation: '',
  ...changes,
})

const createFamilyRecord = (generation: string, revokedAt = NOW): TokenRecord =>
  createTokenRecord({ app: '', scopes: [], revokedAt, generation })

/** Returns a record without its generation, as earlier versions wrote it. */
const withoutGeneration = ({ generation: _, ...record }: TokenRecord): TokenRecord =>
  JSON.parse(JSON.stringify(record))

describe('the record digests of a token', () => {
  it('are those of its own record and of the record for all tokens of its viewer', () => {
    expect(auth.start(TOKEN).digests).toEqual([
      digestToken(TOKEN),
      digestTokenFamily(computeTokenFamily('1', SECRET)),
    ])
  })

  it('are the same each time', () => {
    expect(auth.start(TOKEN).digests).toEqual(auth.start(TOKEN).digests)
  })

  it.each(['demo|hush', 'x', ''])(
    'are an empty list for the token of an app or an invalid token: %o',
    token => {
      expect(auth.start(token).digests).toEqual([])
    },
  )
})

describe('the authentication of a token', () => {
  it('returns a frozen session with the values of the record', () => {
    const authResult = auth.start(TOKEN).finish([createTokenRecord(), undefined], undefined)
    const session = { viewer: '1', app: 'demo', scopes: ['email'], issuedAt: NOW - 10, expiresAt: undefined }
    expect(authResult).toEqual({ session })
    expect(authResult && 'session' in authResult && Object.isFrozen(authResult.session)).toBe(true)
  })

  it.each([
    ['invalid without a record', undefined, undefined, 'invalid'],
    ['expired at its expiry', createTokenRecord({ expiresAt: NOW }), undefined, 'expired'],
    ['expired after its expiry', createTokenRecord({ expiresAt: NOW - 1 }), undefined, 'expired'],
    ['revoked if its record is revoked', createTokenRecord({ revokedAt: NOW - 1 }), undefined, 'revoked'],
    [
      'revoked if it is both revoked and expired',
      createTokenRecord({ revokedAt: NOW, expiresAt: NOW }),
      undefined,
      'revoked',
    ],
    [
      'revoked if all tokens of its viewer are revoked',
      createTokenRecord(),
      createFamilyRecord('a'),
      'revoked',
    ],
    [
      'revoked if all tokens of its viewer are revoked, even if it is issued later',
      createTokenRecord({ issuedAt: NOW + 1e6 }),
      createFamilyRecord('a'),
      'revoked',
    ],
    [
      'revoked if its token generation is not the current one of its viewer',
      createTokenRecord({ generation: 'a' }),
      createFamilyRecord('b'),
      'revoked',
    ],
    [
      'revoked if its viewer has no token generation but it has one',
      createTokenRecord({ generation: 'a' }),
      undefined,
      'revoked',
    ],
    [
      'revoked if the record of its viewer has the old format without a token generation',
      createTokenRecord(),
      withoutGeneration(createFamilyRecord('')),
      'revoked',
    ],
    [
      'invalid if its record has no token generation',
      withoutGeneration(createTokenRecord()),
      undefined,
      'invalid',
    ],
    [
      'invalid if neither its record nor that of its viewer has a token generation',
      withoutGeneration(createTokenRecord()),
      withoutGeneration(createFamilyRecord('')),
      'invalid',
    ],
    [
      'invalid if its token generation is not text',
      { ...createTokenRecord(), generation: JSON.parse('5') },
      undefined,
      'invalid',
    ],
    ['invalid if the record is of another viewer', createTokenRecord({ viewer: '2' }), undefined, 'invalid'],
    ['invalid if the record is of an app', createTokenRecord({ viewer: undefined }), undefined, 'invalid'],
  ])('fails as %s', (_, own, family, failure) => {
    expect(auth.start(TOKEN).finish([own, family], undefined)).toEqual({ failure })
  })

  it.each([
    ['before its expiry', createTokenRecord({ expiresAt: NOW + 1 }), undefined],
    [
      'in the current token generation of its viewer',
      createTokenRecord({ generation: 'a' }),
      createFamilyRecord('a'),
    ],
    [
      'in the current token generation of its viewer, whatever the times of both records are',
      createTokenRecord({ generation: 'a', issuedAt: 0 }),
      createFamilyRecord('a', NOW + 1e6),
    ],
  ])('succeeds for a token %s', (_, own, family) => {
    expect(auth.start(TOKEN).finish([own, family], undefined)).toHaveProperty('session')
  })

  it('fails as invalid for a token that was created with another secret', () => {
    const other = new StoreAuth({ now: () => NOW, secret: 'another', kind: 'digits', appSecrets: {} })
    expect(other.start(TOKEN).finish([createTokenRecord(), undefined], undefined)).toEqual({
      failure: 'invalid',
    })
    expect(other.start(TOKEN).finish([createTokenRecord(), undefined], undefined)).toEqual({
      failure: 'invalid',
    })
  })

  it('returns a session without viewer and scopes for the token of an app', () => {
    const authResult = auth.start('demo|hush').finish([], undefined)
    expect(authResult).toMatchObject({ session: { viewer: undefined, app: 'demo', scopes: [] } })
  })

  it.each(['demo|', 'demo|hus', 'demo|hush2', '|hush', 'Demo|hush', 'constructor|x', 'hush', ''])(
    'fails as invalid for %o',
    token => {
      expect(auth.start(token).finish([], undefined)).toEqual({ failure: 'invalid' })
    },
  )
})
