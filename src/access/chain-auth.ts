import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { isTime } from '../base/dates.ts'
import { describe } from '../base/describe.ts'
import { internalFault } from '../base/faults.ts'
import { isPlainObject } from '../base/json.ts'
import type { Session } from '../base/session.ts'
import type { TokenRecord } from '../store/contract.ts'
import type { Auth, Authenticator, Verdict } from './auth.ts'
import { toGrant } from './grant.ts'

type Records = readonly (TokenRecord | undefined)[]

const digestOf = (auth: Auth, token: string, place: string): string | undefined => {
  const digest: unknown = auth.digest?.(token)
  if (digest === undefined || (typeof digest === 'string' && digest !== '' && digest.isWellFormed())) {
    return digest
  }
  throw new TypeError(`${place}: digest must answer text or undefined, came ${describe(digest)}`)
}

/** Answered sessions are copied, since whoever answered one may keep it and change it. */
const toSession = (session: unknown, place: string): Session => {
  if (!isPlainObject(session)) {
    throw new TypeError(`${place}: session must be an object, came ${describe(session)}`)
  }
  const { issuedAt, expiresAt } = session
  const grant = toGrant(place, session)
  if (!isTime(issuedAt)) {
    throw new TypeError(`${place}: issuedAt must be milliseconds since the epoch, came ${describe(issuedAt)}`)
  }
  if (expiresAt !== undefined && !isTime(expiresAt)) {
    throw new TypeError(
      `${place}: expiresAt must be milliseconds since the epoch or undefined, came ${describe(expiresAt)}`,
    )
  }
  return Object.freeze({ ...grant, issuedAt, expiresAt })
}

const toVerdict = (answer: unknown, place: string): Verdict => {
  const { refused, session } = isPlainObject(answer) ? answer : {}
  if (refused === 'unknown' || refused === 'expired' || refused === 'revoked') return { refused }
  if (refused === undefined && session !== undefined) return { session: toSession(session, place) }
  throw new TypeError(`${place}: expected { session }, { refused } or undefined, came ${describe(answer)}`)
}

/** What the authors of an {@link Auth} got wrong is no fault of the token's, and nothing for callers to read. */
const attempt = <T>(make: () => T): T => {
  try {
    return make()
  } catch (error) {
    throw internalFault(error)
  }
}

/** Asks every {@link Auth} in order, then the graph's own; whoever knows the token decides. */
export class ChainAuth implements Authenticator {
  readonly #auths: readonly Auth[]
  readonly #own: Authenticator

  constructor(auths: readonly Auth[], own: Authenticator) {
    this.#auths = auths
    this.#own = own
  }

  /** The keys of the graph's own come first. */
  keysOf(token: string): readonly string[] {
    const own = this.#own.keysOf(token)
    const others = this.#digests(token).filter(digest => digest !== undefined)
    return others.length === 0 ? own : [...own, ...others]
  }

  authenticate(
    token: string,
    records: Records,
    signal: AbortSignal | undefined,
  ): Awaitable<Verdict | undefined> {
    let next = this.#own.keysOf(token).length
    const handed = this.#digests(token).map(digest => (digest === undefined ? undefined : records[next++]))
    const ask = (index: number): Awaitable<Verdict | undefined> => {
      const auth = this.#auths[index]
      if (auth === undefined) return this.#own.authenticate(token, records, signal)
      const goOn = (answer: Verdict | undefined) =>
        answer === undefined ? ask(index + 1) : attempt(() => toVerdict(answer, `auth[${index}]`))
      const answer = auth.authenticate(token, handed[index], signal)
      return isPromiseLike(answer) ? answer.then(goOn) : goOn(answer)
    }
    return ask(0)
  }

  #digests(token: string): readonly (string | undefined)[] {
    return attempt(() => this.#auths.map((auth, index) => digestOf(auth, token, `auth[${index}]`)))
  }
}
