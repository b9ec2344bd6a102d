import { describe, expect, it } from 'vitest'
import { StoreAuth } from '../../../src/access/store-auth.ts'
import { familyKey, familyOf, newToken, tokenKey } from '../../../src/access/token-text.ts'
import type { TokenRecord } from '../../../src/store/contract.ts'

const NOW = 1_000_000
const SECRET = 'the secret'
const TOKEN = newToken('1', SECRET)

const auth = new StoreAuth({ now: () => NOW, secret: SECRET, appSecrets: { demo: 'hush' } })

const record = (changes: Partial<TokenRecord> = {}): TokenRecord => ({
  viewer: '1',
  app: 'demo',
  scopes: ['email'],
  issuedAt: NOW - 10,
  expiresAt: undefined,
  revokedAt: undefined,
  generation: '',
  ...changes,
})

const family = (generation: string, revokedAt = NOW): TokenRecord =>
  record({ app: '', scopes: [], revokedAt, generation })

/** A record as it was written before there were generations. */
const old = ({ generation: _, ...record }: TokenRecord): TokenRecord => JSON.parse(JSON.stringify(record))

describe('what is read of a token', () => {
  it('is its own record, and that of all tokens of its viewer', () => {
    expect(auth.keysOf(TOKEN)).toEqual([tokenKey(TOKEN), familyKey(familyOf('1', SECRET))])
  })

  it('is the same each time', () => {
    expect(auth.keysOf(TOKEN)).toEqual(auth.keysOf(TOKEN))
  })

  it.each(['demo|hush', 'x', ''])('is nothing for what no store holds: %o', token => {
    expect(auth.keysOf(token)).toEqual([])
  })
})

describe('a verdict', () => {
  it('is the session of the record, frozen', () => {
    const verdict = auth.authenticate(TOKEN, [record(), undefined])
    const session = { viewer: '1', app: 'demo', scopes: ['email'], issuedAt: NOW - 10, expiresAt: undefined }
    expect(verdict).toEqual({ session })
    expect('session' in verdict && Object.isFrozen(verdict.session)).toBe(true)
  })

  it.each([
    ['unknown without a record', undefined, undefined, 'unknown'],
    ['expired at its end', record({ expiresAt: NOW }), undefined, 'expired'],
    ['expired after its end', record({ expiresAt: NOW - 1 }), undefined, 'expired'],
    ['revoked once it was', record({ revokedAt: NOW - 1 }), undefined, 'revoked'],
    ['revoked rather than expired', record({ revokedAt: NOW, expiresAt: NOW }), undefined, 'revoked'],
    ['revoked with all others', record(), family('a'), 'revoked'],
    [
      'revoked with all others, however late it was issued',
      record({ issuedAt: NOW + 1e6 }),
      family('a'),
      'revoked',
    ],
    ['revoked in a generation that is over', record({ generation: 'a' }), family('b'), 'revoked'],
    ['revoked in a generation that its family never had', record({ generation: 'a' }), undefined, 'revoked'],
    ['revoked while the record of its family has no generation', record(), old(family('')), 'revoked'],
    ['unknown without a generation', old(record()), undefined, 'unknown'],
    ['unknown without a generation, as its family', old(record()), old(family('')), 'unknown'],
    [
      'unknown with a generation that is no text',
      { ...record(), generation: JSON.parse('5') },
      undefined,
      'unknown',
    ],
    ['unknown where the record is of another viewer', record({ viewer: '2' }), undefined, 'unknown'],
    ['unknown where the record is of an app', record({ viewer: undefined }), undefined, 'unknown'],
  ])('is %s', (_, own, family, refused) => {
    expect(auth.authenticate(TOKEN, [own, family])).toEqual({ refused })
  })

  it.each([
    ['before its end', record({ expiresAt: NOW + 1 }), undefined],
    ['in the generation of its family', record({ generation: 'a' }), family('a')],
    [
      'issued long before its family was revoked by another clock',
      record({ generation: 'a', issuedAt: 0 }),
      family('a', NOW + 1e6),
    ],
  ])('is a session %s', (_, own, family) => {
    expect(auth.authenticate(TOKEN, [own, family])).toHaveProperty('session')
  })

  it('is unknown for a token of another secret', () => {
    const other = new StoreAuth({ now: () => NOW, secret: 'another', appSecrets: {} })
    expect(other.authenticate(TOKEN, [record(), undefined])).toEqual({ refused: 'unknown' })
    expect(other.authenticate(TOKEN, [record(), undefined])).toEqual({ refused: 'unknown' })
  })

  it('is a session without viewer and scopes for the token of an app', () => {
    const verdict = auth.authenticate('demo|hush', [])
    expect(verdict).toMatchObject({ session: { viewer: undefined, app: 'demo', scopes: [] } })
  })

  it.each(['demo|', 'demo|hus', 'demo|hush2', '|hush', 'Demo|hush', 'constructor|x', 'hush', ''])(
    'is unknown for %o',
    token => {
      expect(auth.authenticate(token, [])).toEqual({ refused: 'unknown' })
    },
  )
})
