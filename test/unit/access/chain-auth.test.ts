import { describe, expect, it } from 'vitest'
import type { Auth, Authenticator, Verdict } from '../../../src/access/auth.ts'
import { ChainAuth } from '../../../src/access/chain-auth.ts'
import type { GraphError } from '../../../src/base/faults.ts'
import type { TokenRecord } from '../../../src/store/contract.ts'
import { tokenOf } from '../../../src/testing/records.ts'
import { faultOf } from '../abuse/fault-of.ts'

const session = { viewer: '1', app: 'demo', scopes: ['email'], issuedAt: 5, expiresAt: 6 }

/** The graph's own: it reads two records, and lets in whatever is left to it. */
const own: Authenticator = {
  keysOf: token => (token === 'foreign' ? [] : [`${token}`, `family of ${token}`]),
  authenticate: (_, [found]) => ({ session: { ...session, app: `own ${found?.app}` } }),
}

/** Knows tokens by their first letter. */
const knows = (letter: string, verdict: Verdict): Auth => ({
  authenticate: token => (token.startsWith(letter) ? verdict : undefined),
})

/** Answers the app of the record that it was handed, as the app of a session. */
const reads = (letter: string): Auth => ({
  digest: token => (token.startsWith(letter) ? `digest of ${letter}` : undefined),
  authenticate: (token, found) =>
    token.startsWith(letter) ? { session: { ...session, app: `${letter} ${found?.app}` } } : undefined,
})

const ask = async (auths: readonly Auth[], token: string, records: readonly TokenRecord[] = []) =>
  new ChainAuth(auths, own).authenticate(token, records, undefined)

/** Answers what the compiler would refuse. */
const answering = (answer: unknown): Auth =>
  Object.assign({ authenticate: () => undefined }, { authenticate: () => answer })

describe('the keys of a chain', () => {
  it('are those of the graph, then the digests that there are', () => {
    const chain = new ChainAuth([reads('a'), knows('a', { refused: 'unknown' }), reads('b'), reads('a')], own)
    expect(chain.keysOf('a')).toEqual(['a', 'family of a', 'digest of a', 'digest of a'])
    expect(chain.keysOf('b')).toEqual(['b', 'family of b', 'digest of b'])
    expect(chain.keysOf('foreign')).toEqual([])
  })

  it('lead each record to whom it belongs', async () => {
    const auths = [reads('a'), reads('b')]
    const found = [tokenOf('first'), tokenOf('second'), tokenOf('third')]
    expect(await ask(auths, 'b', found)).toMatchObject({ session: { app: 'b third' } })
    expect(await ask(auths, 'c', found)).toMatchObject({ session: { app: 'own first' } })
  })

  it.each([
    ['no text', 1, 'came 1'],
    ['empty', '', 'came ""'],
    ['no well-formed text', '\ud83d', 'came "�"'],
  ])('are an internal fault where a digest is %s', async (_, digest, came) => {
    const auth: Auth = Object.assign(answering(undefined), { digest: () => digest })
    const chain = new ChainAuth([auth], own)
    const fault = await faultOf(Promise.resolve('a').then(token => chain.keysOf(token)))
    expect(fault).toMatchObject({
      data: { reason: 'internal' },
      cause: new TypeError(`auth[0]: digest must answer text or undefined, ${came}`),
    })
  })
})

describe('a chain', () => {
  it('asks in order: the first that knows the token decides, the graph last', async () => {
    const auths = [
      knows('a', { refused: 'expired' }),
      knows('a', { session }),
      knows('b', { refused: 'revoked' }),
    ]
    expect(await ask(auths, 'a')).toEqual({ refused: 'expired' })
    expect(await ask(auths, 'b')).toEqual({ refused: 'revoked' })
    expect(await ask(auths, 'c')).toHaveProperty('session')
  })

  it('goes on behind a promise as behind an answer', async () => {
    const slowly = ({ authenticate }: Auth): Auth => ({
      authenticate: async (...asked) => authenticate(...asked),
    })
    const auths = [slowly(knows('a', { session })), slowly(knows('b', { refused: 'unknown' }))]
    expect(await ask(auths, 'a')).toEqual({ session })
    expect(await ask(auths, 'b')).toEqual({ refused: 'unknown' })
    expect(await ask(auths, 'c')).toHaveProperty('session.app', 'own undefined')
  })

  it('keeps the answers at once of those that answer at once', () => {
    const chain = new ChainAuth([knows('a', { session })], own)
    expect(chain.authenticate('a', [], undefined)).toEqual({ session })
    expect(chain.authenticate('b', [], undefined)).toHaveProperty('session')
  })

  it('hands on the signal, and calls methods on what they belong to', async () => {
    const { signal } = new AbortController()
    class Counting implements Auth {
      readonly signals: unknown[] = []
      authenticate(_token: string, _record: TokenRecord | undefined, signal: AbortSignal | undefined) {
        this.signals.push(signal)
        return undefined
      }
    }
    const counting = new Counting()
    await new ChainAuth([counting], own).authenticate('a', [], signal)
    expect(counting.signals).toEqual([signal])
  })

  it('answers a frozen copy of a session, with nothing else in it', async () => {
    const mine = { ...session, scopes: ['email'], secret: 'x' }
    const verdict = await ask([{ authenticate: () => ({ session: mine }) }], 'a')
    mine.scopes.push('user_friends')
    mine.viewer = '2'
    expect(verdict).toStrictEqual({ session: { ...session, scopes: ['email'] } })
    const copy = verdict !== undefined && 'session' in verdict ? verdict.session : undefined
    expect(Object.isFrozen(copy) && Object.isFrozen(copy?.scopes)).toBe(true)
  })
})

describe('an answer that is no verdict is an internal fault, and its cause says what came', () => {
  const causeOf = async (answer: unknown): Promise<unknown> => {
    const fault: GraphError = await faultOf(ask([knows('b', { session }), answering(answer)], 'a'))
    expect(fault.data).toEqual({ reason: 'internal' })
    return fault.cause
  }

  it.each([
    [null, 'expected { session }, { refused } or undefined, came null'],
    [true, 'expected { session }, { refused } or undefined, came true'],
    [session, 'expected { session }, { refused } or undefined, came an object with viewer, app'],
    [{ refused: 'late' }, 'expected { session }, { refused } or undefined, came an object with refused'],
    [{ refused: 'late', session }, 'expected { session }, { refused } or undefined, came an object'],
    [{ session: 'x' }, 'session must be an object, came "x"'],
    [{ session: { ...session, viewer: 1 } }, 'viewer must be the id of a node or left out, came 1'],
    [{ session: { ...session, viewer: 'me' } }, 'viewer must be the id of a node or left out, came "me"'],
    [{ session: { ...session, viewer: null } }, 'viewer must be the id of a node or left out, came null'],
    [{ session: { ...session, app: '' } }, 'app must be the name of an app, came ""'],
    [{ session: { ...session, scopes: 'email' } }, 'scopes must be a list of words, came "email"'],
    [{ session: { ...session, issuedAt: 1.5 } }, 'issuedAt must be milliseconds since the epoch, came 1.5'],
    [
      { session: { ...session, expiresAt: '6' } },
      'expiresAt must be milliseconds since the epoch or undefined',
    ],
    [
      { session: { ...session, expiresAt: null } },
      'expiresAt must be milliseconds since the epoch or undefined',
    ],
  ])('%j', async (answer, message) => {
    for (const came of [answer, Promise.resolve(answer)]) {
      const cause = await causeOf(came)
      expect(cause).toBeInstanceOf(TypeError)
      expect(String(cause)).toContain(`auth[1]: ${message}`)
    }
  })

  it('unless it refuses beside a session: then it refuses', async () => {
    expect(await ask([answering({ refused: 'revoked', session })], 'a')).toEqual({ refused: 'revoked' })
  })
})
