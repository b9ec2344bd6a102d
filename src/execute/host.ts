import type { Awaitable } from '../base/awaitable.ts'
import type { Session } from '../base/session.ts'

/** What whoever serves a graph to others adds to a call. */
export type Host = {
  /** What the links of the answer begin with, a version included: '' or such as `https://api.example/v1.0`. */
  readonly linkBase: string
  /** What the query of each link begins with, encoded and ended by `&`: '' or such as `access_token=…&`. */
  readonly linkQuery: string
  /** The picture of those who have none, as the host serves it. */
  readonly silhouette: string | undefined
  /** When the answer stops being of use, if that is earlier than the graph's own deadline. */
  readonly deadline: number | undefined
  /** Told for whom the call is, once the token is found good. */
  readonly meet: (session: Session) => void
  /** Told the cost of the call before anything below its roots is read. What it throws refuses the call. */
  readonly charge: (cost: number, session: Session) => Awaitable<void>
  /** Takes more points for a call that exceeds its scan limit. It must not throw, and changes nothing of the response. */
  readonly chargeScan: (points: number, session: Session) => void
  /** Told how long the answer has become, now and then while it is written and at its end. What it throws refuses the call. */
  readonly wrote: (length: number) => void
}
