import { describe, expect, it } from 'vitest'
import type { Auth, Authenticator, AuthResult } from '../../../src/access/auth.ts'
import { ChainAuth } from '../../../src/access/chain-auth.ts'
import { Viewers } from '../../../src/access/viewers.ts'
import type { GraphError } from '../../../src/base/errors.ts'
import type { TokenRecord } from '../../../src/store/contract.ts'
import { createToken } from '../../../src/testing/records.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'

const VIEWERS = new Viewers({ ids: 'digits', types: {}, viewers: [] })
const session = { viewer: '1', app: 'demo', scopes: ['email'], issuedAt: 5, expiresAt: 6 }

/**
 * The authenticator for the graph's own tokens. It accepts every token, and reads two records for each token
 * except `foreign`.
 */
const own: Authenticator = {
  start: token => ({
    digests: token === 'foreign' ? [] : [`${token}`, `family of ${token}`],
    finish: ([found]) => ({ session: { ...session, app: `own ${found?.app}` } }),
  }),
}

/** Creates an auth that recognizes tokens by their first letter. */
const createAuth = (letter: string, authResult: AuthResult): Auth => ({
  authenticate: token => (token.startsWith(letter) ? authResult : undefined),
})

/**
 * Creates an auth for tokens that start with `letter`. The app of its sessions is the letter, followed by the
 * app of the token record that it received.
 */
const createReadingAuth = (letter: string): Auth => ({
  digest: token => (token.startsWith(letter) ? `digest of ${letter}` : undefined),
  authenticate: (token, found) =>
    token.startsWith(letter) ? { session: { ...session, app: `${letter} ${found?.app}` } } : undefined,
})

const verifyToken = async (auths: readonly Auth[], token: string, records: readonly TokenRecord[] = []) =>
  new ChainAuth(VIEWERS, auths, own).start(token).finish(records, undefined)

/** Creates an auth that returns any value, even one that the compiler rejects. */
const createUntypedAuth = (result: unknown): Auth =>
  Object.assign({ authenticate: () => undefined }, { authenticate: () => result })

describe('an auth chain whose auths read token records', () => {
  it('requests the record digests of the graph first, then those of each auth', () => {
    const chain = new ChainAuth(
      VIEWERS,
      [
        createReadingAuth('a'),
        createAuth('a', { failure: 'invalid' }),
        createReadingAuth('b'),
        createReadingAuth('a'),
      ],
      own,
    )
    expect(chain.start('a').digests).toEqual(['a', 'family of a', 'digest of a', 'digest of a'])
    expect(chain.start('b').digests).toEqual(['b', 'family of b', 'digest of b'])
    expect(chain.start('foreign').digests).toEqual([])
  })

  it('passes each auth the token record of the digest that this auth requested', async () => {
    const auths = [createReadingAuth('a'), createReadingAuth('b')]
    const found = [createToken('first'), createToken('second'), createToken('third')]
    expect(await verifyToken(auths, 'b', found)).toMatchObject({ session: { app: 'b third' } })
    expect(await verifyToken(auths, 'c', found)).toMatchObject({ session: { app: 'own first' } })
  })

  it.each([
    ['not text', 1, '1'],
    ['empty', '', '""'],
    ['not well-formed text', '\ud83d', '"�"'],
  ])('throws an internal error if the digest of an auth is %s', async (_, digest, received) => {
    const auth: Auth = Object.assign(createUntypedAuth(undefined), { digest: () => digest })
    const chain = new ChainAuth(VIEWERS, [auth], own)
    const error = await expectGraphError(Promise.resolve('a').then(token => chain.start(token).digests))
    expect(error).toMatchObject({
      reason: 'internal_error',
      cause: new TypeError(`auth[0].digest: the result must be a string or undefined; received ${received}`),
    })
  })
})

describe('an auth chain', () => {
  it('uses the first auth that recognizes the token, or the graph itself if none does', async () => {
    const auths = [
      createAuth('a', { failure: 'expired' }),
      createAuth('a', { session }),
      createAuth('b', { failure: 'revoked' }),
    ]
    expect(await verifyToken(auths, 'a')).toEqual({ failure: 'expired' })
    expect(await verifyToken(auths, 'b')).toEqual({ failure: 'revoked' })
    expect(await verifyToken(auths, 'c')).toHaveProperty('session')
  })

  it('uses the next auth if the promise of the previous one resolves to undefined', async () => {
    const slowly = ({ authenticate }: Auth): Auth => ({
      authenticate: async (...args) => authenticate(...args),
    })
    const auths = [slowly(createAuth('a', { session })), slowly(createAuth('b', { failure: 'invalid' }))]
    expect(await verifyToken(auths, 'a')).toEqual({ session })
    expect(await verifyToken(auths, 'b')).toEqual({ failure: 'invalid' })
    expect(await verifyToken(auths, 'c')).toHaveProperty('session.app', 'own undefined')
  })

  it('returns no promise if its auths return none', () => {
    const chain = new ChainAuth(VIEWERS, [createAuth('a', { session })], own)
    expect(chain.start('a').finish([], undefined)).toEqual({ session })
    expect(chain.start('b').finish([], undefined)).toHaveProperty('session')
  })

  it('passes the abort signal to each auth and calls its methods with the auth as `this`', async () => {
    const { signal } = new AbortController()
    class Counting implements Auth {
      readonly signals: unknown[] = []
      authenticate(_token: string, _record: TokenRecord | undefined, signal: AbortSignal | undefined) {
        this.signals.push(signal)
        return undefined
      }
    }
    const counting = new Counting()
    await new ChainAuth(VIEWERS, [counting], own).start('a').finish([], signal)
    expect(counting.signals).toEqual([signal])
  })

  it('returns a frozen copy of the session without unknown members', async () => {
    const given = { ...session, scopes: ['email'], secret: 'x' }
    const authResult = await verifyToken([{ authenticate: () => ({ session: given }) }], 'a')
    given.scopes.push('user_friends')
    given.viewer = '2'
    expect(authResult).toStrictEqual({ session: { ...session, scopes: ['email'] } })
    const copy = authResult !== undefined && 'session' in authResult ? authResult.session : undefined
    expect(Object.isFrozen(copy) && Object.isFrozen(copy?.scopes)).toBe(true)
  })
})

describe('an invalid result of an auth', () => {
  const catchCause = async (result: unknown): Promise<unknown> => {
    const error: GraphError = await expectGraphError(
      verifyToken([createAuth('b', { session }), createUntypedAuth(result)], 'a'),
    )
    expect(error.toJSON().error.error_data).toEqual({ reason: 'internal_error' })
    return error.cause
  }

  it.each([
    [null, 'the result must be { session }, { failure }, { cause } or undefined; received null'],
    [true, 'the result must be { session }, { failure }, { cause } or undefined; received true'],
    [
      session,
      'the result must be { session }, { failure }, { cause } or undefined; received an object with viewer, app',
    ],
    [
      { failure: 'late' },
      'the result must be { session }, { failure }, { cause } or undefined; received an object with failure',
    ],
    [
      { failure: 'late', session },
      'the result must be { session }, { failure }, { cause } or undefined; received an object',
    ],
    [{ session: 'x' }, '"session" must be an object; received "x"'],
    [
      { session: { ...session, viewer: 1 } },
      '"session.viewer" must be the id of a node or undefined; received 1',
    ],
    [
      { session: { ...session, viewer: 'me' } },
      '"session.viewer" must be the id of a node or undefined; received "me"',
    ],
    [
      { session: { ...session, viewer: null } },
      '"session.viewer" must be the id of a node or undefined; received null',
    ],
    [
      { session: { ...session, app: '' } },
      '"session.app" must be the name of an app: a well-formed string that is not empty; received ""',
    ],
    [
      { session: { ...session, scopes: 'email' } },
      '"session.scopes" must be an array of well-formed strings; received "email"',
    ],
    [
      { session: { ...session, issuedAt: 1.5 } },
      '"session.issuedAt" must be milliseconds since the epoch; received 1.5',
    ],
    [
      { session: { ...session, expiresAt: '6' } },
      '"session.expiresAt" must be milliseconds since the epoch or undefined; received',
    ],
    [
      { session: { ...session, expiresAt: null } },
      '"session.expiresAt" must be milliseconds since the epoch or undefined; received',
    ],
  ])('causes an internal error whose cause describes the result: %j', async (result, message) => {
    for (const received of [result, Promise.resolve(result)]) {
      const cause = await catchCause(received)
      expect(cause).toBeInstanceOf(TypeError)
      expect(String(cause)).toContain(`auth[1].authenticate: ${message}`)
    }
  })
})

describe('an auth result with both a failure and a session', () => {
  it('is treated as a failure', async () => {
    expect(await verifyToken([createUntypedAuth({ failure: 'revoked', session })], 'a')).toEqual({
      failure: 'revoked',
    })
  })
})
