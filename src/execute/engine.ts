import type { AppIds } from '../access/app-ids/app-ids.ts'
import type { Authenticator } from '../access/auth.ts'
import type { CursorCipher } from '../access/cursor-cipher.ts'
import type { Masking } from '../access/masking.ts'
import type { AppSecrets } from '../access/proof.ts'
import type { DeriveKey } from '../access/secret.ts'
import { describeValue } from '../base/describe.ts'
import type { Session } from '../base/session.ts'
import type { TurnQueue } from '../base/turn-queue.ts'
import { usageError } from '../base/usage-error.ts'
import type { ValueCheckMode } from '../core/bad-values.ts'
import type { GraphEvent } from '../core/events.ts'
import type { Limits } from '../plan/limits.ts'
import type { Planner } from '../plan/planner.ts'
import type { PassSizes } from '../read/pass-size.ts'
import type { DrawUniform } from '../read/scan-limit.ts'
import type { Registry } from '../schema/registry.ts'
import type { Store } from '../store/contract.ts'
import type { ActionRuntime } from './action-runtime.ts'

/**
 * The key of the property that contains the engine of a graph. The HTTP handler and other layers above the
 * graph use this property.
 */
export const ENGINE = Symbol('kithgraph.engine')

/** The parts of a graph that its reads use. */
export type Engine = {
  readonly registry: Registry
  readonly planner: Planner
  readonly limits: Limits
  readonly auth: Authenticator
  /** The store of the graph, wrapped by `guardStore`. */
  readonly store: Store
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly appSecrets: AppSecrets
  /** The app-scoped ids, or `undefined` if ids are the same for all apps. */
  readonly appIds: AppIds | undefined
  readonly cursorCipher: CursorCipher
  /** Derives keys from the graph's secret, or from a random key if the graph has no secret. */
  readonly deriveKey: DeriveKey
  readonly requireProof: boolean
  readonly masking: Masking
  readonly consistency: 'read' | 'snapshot'
  readonly turnQueue: TurnQueue
  /** Draws the random part of a call's scan limit. Tests replace it. */
  readonly drawUniform: DrawUniform
  /**
   * The sizes of the passes over lists under a policy. No result depends on them. Tests use other sizes to
   * verify this.
   */
  readonly passSizes: PassSizes
  readonly checkValues: ValueCheckMode
  /** Whether each call checks the fields that the functions of the schema read. */
  readonly checkReads: boolean
  readonly onEvent: ((event: GraphEvent) => void) | undefined
  /** @throws TypeError if the graph is closed. While it closes, the sessions of running actions may still read. */
  readonly assertOpen: (method: string, caller: unknown) => void
  /** Whether this graph created a session. Other objects are not accepted. */
  readonly isSession: (value: object) => value is Session
  /** The actions, or `undefined` without actions. `createGraph` sets them, because they need the engine. */
  actions: ActionRuntime | undefined
}

/** Returns the engine of a graph. @throws TypeError for a value that `createGraph` did not create. */
export const engineOf = (location: string, graph: unknown): Engine => {
  const engine: unknown = typeof graph === 'object' && graph !== null ? Reflect.get(graph, ENGINE) : undefined
  if (engine === undefined) {
    throw usageError(location, 'graph', 'a graph that createGraph() returns', describeValue(graph))
  }
  // This is safe, because only `createGraph` sets this property.
  return engine as Engine
}
