import type { NodeId } from '../base/ids.ts'
import { assertOptions } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import { toGrant } from './grant.ts'

/** Whom a session is for. */
export type SessionRequest = {
  /** The id of a person or page; undefined for the app alone. */
  readonly viewer?: NodeId | undefined
  readonly app: string
  readonly scopes?: readonly string[] | undefined
}

/** Makes the sessions that this process vouches for, and knows them again. */
export class Sessions {
  readonly #made = new WeakSet<object>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** @throws TypeError for what is no viewer, app or list of scopes. */
  session(request: SessionRequest): Session {
    assertOptions('session', request, ['viewer', 'app', 'scopes'])
    const session = Object.freeze({
      ...toGrant('session', request ?? {}),
      issuedAt: this.#now(),
      expiresAt: undefined,
    })
    this.#made.add(session)
    return session
  }

  /** Whether a value is such a session, and not merely of its form. */
  has(value: object): value is Session {
    return this.#made.has(value)
  }
}
