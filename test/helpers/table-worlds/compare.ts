import { type AnyGraph, createGraph } from 'kithgraph'
import type { AppIds } from 'kithgraph/app-ids'
import { expect } from 'vitest'
import type { Store } from '../../../src/store/contract.ts'
import type { ListReference } from '../list-reference.ts'
import { type Caller, type Probe, recordTranscript } from '../probes.ts'
import { overrideScan } from '../scan-overrides.ts'
import { CHECKED_IDS } from './calls.ts'
import type { WorldTables } from './graph.ts'

/** Creates a store that executes each read with loops over the current model. It has neither conditions nor hints. */
export const createReferenceStore = (currentModel: () => ListReference): Store => {
  const reject = () => {
    throw new Error('This store is read-only')
  }
  return {
    capabilities: {
      ids: ['named'],
      snapshots: false,
      durable: false,
      shared: false,
      atomicity: 'batch',
      conditionalWrites: false,
      collections: true,
    },
    open: () => undefined,
    close: () => undefined,
    read: request => ({
      ...currentModel().read(request),
      ...(request.flags && { flags: request.flags.map(() => true) }),
    }),
    write: reject,
    snapshot: reject,
  }
}

/** Who calls: the number of an account, a tenant, scopes and an app. */
export type WorldViewer = {
  readonly viewer: number | undefined
  readonly tenant: number
  readonly scopes?: readonly string[]
  readonly app?: string
}

/** Costs are not limited, so that calls may be deep. */
const OPTIONS = { limits: { cost: 1e12 }, secret: 'a secret for the tests of cursors' }

/** Options of a graph over a store of a world. */
export type CallersOptions = {
  /** The number of edges that each call may examine. Without it, the limit is drawn for each call. */
  readonly scan?: number
  readonly appIds?: AppIds | undefined
}

/** Creates a graph over a store, and returns the caller for a viewer. */
export const createCallers = (
  schema: WorldTables['schema'],
  store: Store,
  { scan, appIds }: CallersOptions = {},
): ((viewer: WorldViewer) => Caller) => {
  const limits = { ...OPTIONS.limits, ...(scan !== undefined && { scan }) }
  const graph: AnyGraph = createGraph(store, { ...OPTIONS, limits, appIds, schema })
  if (scan !== undefined) overrideScan(graph, { drawUniform: () => 0 })
  return ({ viewer, tenant, scopes = [], app = 'laws' }) => ({
    graph,
    session: graph.session({
      viewer: viewer === undefined ? undefined : `account-${viewer}`,
      app,
      scopes,
      claims: { tenant },
    }),
  })
}

/** Replaces the cursors of a result, which contain positions and the order of a store. */
const withoutCursors = (text: string): string =>
  text
    .replaceAll(/("(?:after|before)":)"[^"]*"/g, '$1"…"')
    .replaceAll(/([?&](?:after|before)=)[^&"]*/g, '$1…')

/** Returns the results of a probe and of the pages before and after its pages, without cursors. */
export const recordProbe = async (caller: Caller, probe: Probe): Promise<readonly string[]> =>
  (await recordTranscript(caller, probe, { ids: CHECKED_IDS })).map(withoutCursors)

/** Expects that two graphs have the same results, byte by byte, apart from cursors. */
export const expectSameResults = async (
  expected: Caller,
  compared: Caller,
  probes: readonly Probe[],
): Promise<void> => {
  for (const probe of probes)
    expect(await recordProbe(compared, probe)).toEqual(await recordProbe(expected, probe))
}
