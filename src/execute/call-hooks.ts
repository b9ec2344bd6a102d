import type { Awaitable } from '../base/awaitable.ts'
import type { Session } from '../base/session.ts'

/** The options and callbacks that a handler adds to a call, such as one that serves the graph over HTTP. */
export type CallHooks = {
  /**
   * The beginning of the links in the result, with a version: '' or, for example, `https://api.example/v1.0`.
   */
  readonly linkBase: string
  /**
   * The beginning of the query string of each link, encoded and with a final `&`: '' or, for example,
   * `access_token=…&`.
   */
  readonly linkQuery: string
  /** The URL of the default picture, for nodes without a picture. */
  readonly defaultPicture: string | undefined
  /**
   * The time in milliseconds since the epoch at which the call ends, if it is earlier than the graph's own
   * deadline.
   */
  readonly deadline: number | undefined
  /** Receives the session of the call as soon as the token is known to be valid. */
  readonly onSession: (session: Session) => void
  /**
   * Receives the cost of the call before anything below its roots is read. If it throws, the call fails with
   * that error.
   */
  readonly charge: (cost: number, session: Session) => Awaitable<void>
  /** Receives the additional cost of a call that exceeds its scan limit. It must not throw. */
  readonly chargeScanExcess: (additionalCost: number, session: Session) => void
  /**
   * Receives the length of the JSON text so far, repeatedly while it is written and once at its end. If it
   * throws, the call fails with that error.
   */
  readonly onLength: (length: number) => void
}
