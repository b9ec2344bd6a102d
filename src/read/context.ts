import type { AppIdMapper } from '../access/app-ids/app-ids.ts'
import type { CursorCipher } from '../access/cursor-cipher.ts'
import type { Session } from '../base/session.ts'
import type { ValueCheckMode } from '../core/bad-values.ts'
import type { DebugMessages } from '../core/debug-messages.ts'
import type { EventReporter } from '../core/events.ts'
import type { ReadGuard } from '../core/read-guard.ts'
import type { PolicyEvaluator } from '../policy/policy-evaluator.ts'
import type { SchemaIds } from '../schema/id-prefixes.ts'
import type { Condition, StoreReadOptions } from '../store/contract.ts'
import type { PassSizes } from './pass-size.ts'
import type { ScanLimit } from './scan-limit.ts'
import type { BoundWindows } from './windows.ts'

/** The data that reading and formatting need for one call with a valid token. The plan is not included. */
export type ExecutionContext = {
  readonly session: Session
  /** The time of the call in milliseconds since the epoch. It does not change during the call. */
  readonly now: number
  /** The abort signal of the call, and its deadline in milliseconds since the epoch. */
  readonly readOptions: Pick<StoreReadOptions, 'signal' | 'deadline'>
  /** Decides what the viewer may see. */
  readonly policyEvaluator: PolicyEvaluator
  /** The limit on the number of edges that the call may examine in lists under a policy. */
  readonly scanLimit: ScanLimit
  readonly passSizes: PassSizes
  /** Whether the store may read the next levels of a query ahead. */
  readonly readsAhead: boolean
  /**
   * Returns the conditions of lists whose nodes all have one type, or `undefined` if its policy cannot be said as
   * conditions. Absent if the store does not filter by conditions.
   */
  readonly conditionsOf: ((type: string) => readonly Condition[] | undefined) | undefined
  /**
   * The converter between raw ids and the ids of the session's app, or `undefined` if ids are the same for
   * all apps.
   */
  readonly idMapper: AppIdMapper | undefined
  /** The kind of the ids, and the types that named ids belong to. */
  readonly ids: SchemaIds
  /** Returns whether the ids of a type are different for each app. */
  readonly isAppScopedType: (type: string) => boolean
  readonly cursorCipher: CursorCipher
  readonly debugMessages: DebugMessages
  readonly reporter: EventReporter | undefined
  readonly checkValues: ValueCheckMode
  /** Whether other programs write the nodes and edges, so that no write has checked the required fields. */
  readonly isReadOnly: boolean
  /** The check of the fields that functions of the schema read, or `undefined` without `checkReads`. */
  readonly readGuard: ReadGuard | undefined
  /** The beginning of each link, including the version. */
  readonly linkBase: string
  /** The beginning of the query string of each link, with a final `&`, or '' if there is none. */
  readonly linkQuery: string
  readonly defaultPicture: string | undefined
  /** Receives the current length of the JSON text while the text is written. */
  readonly onLength: ((length: number) => void) | undefined
  /** The windows of the expression, or `undefined` before they are bound, or if the expression has none. */
  boundWindows: BoundWindows | undefined
  /** Whether the result may become so large that it is formatted with pauses. */
  isLargeResult: boolean
  /** The computed fields whose values are awaited before the result is formatted. */
  computedFields: Promise<void>[] | undefined
}
