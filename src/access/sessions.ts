import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { markAsBypassing, type Session } from '../base/session.ts'
import { toGrant } from './grant.ts'
import type { Viewers } from './viewers.ts'

/** The viewer, the app, the scopes and the claims that a token or a session is for. */
export type GrantOptions = {
  /** The raw id of the viewer, or `undefined` for the app alone. */
  readonly viewer?: NodeId | undefined
  readonly app: string
  readonly scopes?: readonly string[] | undefined
  /**
   * Facts about the bearer beyond viewer, app and scopes: a plain object of JSON values, with at most 10
   * levels and 16,384 characters. It is copied.
   */
  readonly claims?: JsonObject | undefined
}

/** The options of a session. */
export type SessionOptions = GrantOptions & {
  /**
   * Whether calls with the session skip all policies. Scopes, filters, limits and costs still apply. The cursors
   * of these calls are valid only with such sessions. Default `false`.
   */
  readonly bypassPolicies?: boolean | undefined
}

const OPTION_KINDS = {
  viewer: 'any',
  app: 'any',
  scopes: 'any',
  claims: 'any',
  bypassPolicies: 'boolean',
} as const satisfies OptionKinds

/** Creates the sessions of a graph, and recognizes them. */
export class Sessions {
  readonly #created = new WeakSet<object>()
  /** The sessions of running actions, which are accepted until an action ends. */
  readonly lent = new Set<unknown>()
  readonly #viewers: Viewers
  readonly #now: () => number

  constructor(viewers: Viewers, now: () => number) {
    this.#viewers = viewers
    this.#now = now
  }

  /** @throws TypeError for an invalid viewer, app, list of scopes, claims or `bypassPolicies`. */
  session(options: SessionOptions): Session {
    assertOptionKinds('session', options, OPTION_KINDS)
    const { viewer, app, scopes, claims } = toGrant('session', options ?? {}, '', this.#viewers.kind)
    const viewerError = this.#viewers.findError('session', 'viewer', viewer)
    if (viewerError !== undefined) throw viewerError
    // Spreading a grant takes longer than all the rest.
    const members = { viewer, app, scopes, issuedAt: this.#now(), expiresAt: undefined }
    const session: Session = claims === undefined ? members : { ...members, claims }
    if (options.bypassPolicies === true) markAsBypassing(session)
    this.#created.add(Object.freeze(session))
    return session
  }

  /** Whether this graph created the session. Another object with the same members is not accepted. */
  has(value: object): value is Session {
    return this.#created.has(value) || this.lent.has(value)
  }
}
