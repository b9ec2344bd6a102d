import { Sessions } from './access/sessions.ts'
import { StoreAuth } from './access/store-auth.ts'
import { Tokens } from './access/tokens.ts'
import type { Engine } from './execute/engine.ts'
import { Reads } from './execute/reads.ts'
import { type GraphOptions, settleOptions } from './graph-options.ts'
import { type ExplainCall, explain } from './plan/explain.ts'
import { Planner } from './plan/planner.ts'
import { Registry } from './schema/registry.ts'
import type { Store } from './store/contract.ts'
import { guardStore } from './store/guard.ts'
import { createWriter } from './write/writer.ts'

export const createGraph = (store: Store, options: GraphOptions = {}) => {
  const guarded = guardStore(store)
  const { schema, version, now, secret, ...settled } = settleOptions(guarded, options)
  const registry = new Registry(schema, version)
  const planner = new Planner(registry, settled.limits)
  const auth = new StoreAuth({ now, secret, appSecrets: settled.appSecrets })
  const sessions = new Sessions(now)
  const engine: Engine = {
    ...settled,
    registry,
    planner,
    auth,
    store: guarded,
    now,
    isSession: value => sessions.has(value),
  }
  const tokens = new Tokens({ store: guarded, auth, now, secret, viewers: schema.viewers })
  const { write, load } = createWriter({ registry, store: guarded, now })
  const close = async (): Promise<void> => guarded.close()
  const reads = new Reads(engine)
  return Object.freeze({
    getMe: reads.getMe.bind(reads),
    getNode: reads.getNode.bind(reads),
    getNodes: reads.getNodes.bind(reads),
    getEdge: reads.getEdge.bind(reads),
    getEdges: reads.getEdges.bind(reads),
    hasEdge: reads.hasEdge.bind(reads),
    iterateEdge: reads.iterateEdge.bind(reads),
    explain: (call: ExplainCall) => explain(registry, planner, settled.limits, call),
    session: sessions.create.bind(sessions),
    tokens: Object.freeze({
      issue: tokens.issue.bind(tokens),
      revoke: tokens.revoke.bind(tokens),
      revokeAll: tokens.revokeAll.bind(tokens),
      inspect: tokens.inspect.bind(tokens),
    }),
    write,
    load,
    close,
    [Symbol.asyncDispose]: close,
  })
}
