import type { AppIds } from '../access/app-ids/app-ids.ts'
import type { Authenticator } from '../access/auth.ts'
import type { Keys } from '../access/keys.ts'
import type { Masking } from '../access/masking.ts'
import type { AppSecrets } from '../access/proof.ts'
import type { Sealer } from '../access/sealer.ts'
import { describe } from '../base/describe.ts'
import type { Turns } from '../base/turns.ts'
import type { Limits } from '../plan/limits.ts'
import type { Planner } from '../plan/planner.ts'
import type { Registry } from '../schema/registry.ts'
import type { Store } from '../store/contract.ts'
import type { CheckValues } from './bad-values.ts'
import type { PassSizes } from './pass-size.ts'
import type { ReadEvent } from './read-event.ts'
import type { DrawUniform } from './scan-limit.ts'

/** Where a graph keeps its engine, for the layers that serve it to others. */
export const ENGINE = Symbol('kithgraph.engine')

/** The parts of a graph that its reads are made with. */
export type Engine = {
  readonly registry: Registry
  readonly planner: Planner
  readonly limits: Limits
  readonly auth: Authenticator
  /** Guarded. */
  readonly store: Store
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly appSecrets: AppSecrets
  /** Undefined: ids are the same for all apps. */
  readonly appIds: AppIds | undefined
  readonly sealer: Sealer
  /** Keys from the graph's secret, or random ones without a secret. */
  readonly keyFor: Keys
  readonly requireProof: boolean
  readonly masking: Masking
  readonly consistency: 'wave' | 'snapshot'
  readonly turns: Turns
  /** Draws the scan limit of a call. Tests put their own numbers in its place. */
  readonly drawUniform: DrawUniform
  /** How lists under a policy are read. No result depends on it, which tests show with sizes of their own. */
  readonly passSizes: PassSizes
  readonly checkValues: CheckValues
  readonly onRead: ((event: ReadEvent) => void) | undefined
  /** @throws TypeError once the graph is closed. */
  readonly assertOpen: () => void
  /** Whether a session was made by this graph: any other object is not let in. */
  readonly isSession: (value: object) => boolean
}

/** The engine of a graph. @throws TypeError for what `createGraph` did not make. */
export const engineOf = (place: string, graph: unknown): Engine => {
  const engine: unknown = typeof graph === 'object' && graph !== null ? Reflect.get(graph, ENGINE) : undefined
  if (engine === undefined) {
    throw new TypeError(`${place}: expected a graph that createGraph made, came ${describe(graph)}`)
  }
  // Only `createGraph` has the symbol.
  return engine as Engine
}
