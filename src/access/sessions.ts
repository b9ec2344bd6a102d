import type { NodeId } from '../base/ids.ts'
import { assertKnownOptions } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import { toGrant } from './grant.ts'

/** The options of a session. */
export type SessionOptions = {
  /** The raw id of the viewer, or `undefined` for the app alone. */
  readonly viewer?: NodeId | undefined
  readonly app: string
  readonly scopes?: readonly string[] | undefined
}

/** Creates the sessions of a graph, and recognizes them. */
export class Sessions {
  readonly #created = new WeakSet<object>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** @throws TypeError for an invalid viewer, app or list of scopes. */
  session(options: SessionOptions): Session {
    assertKnownOptions('session', options, ['viewer', 'app', 'scopes'])
    const session = Object.freeze({
      ...toGrant('session', options ?? {}),
      issuedAt: this.#now(),
      expiresAt: undefined,
    })
    this.#created.add(session)
    return session
  }

  /** Whether this graph created the session. Another object with the same members is not accepted. */
  has(value: object): value is Session {
    return this.#created.has(value)
  }
}
