import type { Awaitable } from '../base/awaitable.ts'
import type { Session } from '../base/session.ts'
import type { GetMeOptions, HandlerReadOptions, Token } from '../interface/read-options.ts'

/** The token or session of a call, or `undefined` if the call has none. */
export type Caller = Token | Session | undefined

/** The options that all reads share. */
export type Call = HandlerReadOptions<GetMeOptions>

/** The options and callbacks that a handler, such as the HTTP handler, adds to a call. */
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
   * The deadline of the call in milliseconds since the epoch, if it is earlier than the graph's own deadline.
   */
  readonly deadline: number | undefined
  /** Receives the session of the call after the token and its proof of possession are accepted. */
  readonly onSession: (session: Session) => void
  /**
   * Receives the cost of the call before anything below its roots is read. If it throws, the call fails with
   * that error.
   */
  readonly charge: (cost: number, session: Session) => Awaitable<void>
  /** Receives the additional cost of a call that exceeds its scan limit. It must not throw. */
  readonly chargeScanExcess: (points: number, session: Session) => void
  /**
   * Receives the current length of the JSON text, repeatedly while the text is written and once at the end.
   * If it throws, the call fails with that error.
   */
  readonly onLength: (length: number) => void
  /** Called directly before the `run` of an action, after all checks have passed. */
  readonly onRun?: (() => void) | undefined
}
