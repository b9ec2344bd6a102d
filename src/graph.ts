import { Sessions } from './access/sessions.ts'
import { StoreAuth } from './access/store-auth.ts'
import { Tokens } from './access/tokens.ts'
import type { Engine } from './execute/engine.ts'
import { Reads } from './execute/reads.ts'
import type { Graph, UntypedGraph } from './graph-interface.ts'
import { type GraphOptions, settleOptions } from './graph-options.ts'
import { explain } from './plan/explain.ts'
import { Planner } from './plan/planner.ts'
import { Registry } from './schema/registry.ts'
import type { Schema } from './schema/schema.ts'
import type { socialSchema } from './schema/social/social-schema.ts'
import type { Store } from './store/contract.ts'
import { guardStore } from './store/guard.ts'
import { createWriter } from './write/writer.ts'

/** Puts the layers together; what the literals of a schema and a call say of types is the compiler's alone. */
const createUntyped = (store: Store, options: GraphOptions): UntypedGraph => {
  const guarded = guardStore(store)
  const { schema, version, now, secret, ...settled } = settleOptions(guarded, options)
  const registry = new Registry(schema, version)
  const planner = new Planner(registry, settled.limits)
  const auth = new StoreAuth({ now, secret, appSecrets: settled.appSecrets })
  const sessions = new Sessions(now)
  const isSession = (value: object): boolean => sessions.has(value)
  const engine: Engine = { ...settled, registry, planner, auth, store: guarded, now, isSession }
  const reads = new Reads(engine)
  const tokens = new Tokens({ store: guarded, auth, now, secret, viewers: schema.viewers })
  const { write, load } = createWriter({ registry, store: guarded, now })
  const close = async (): Promise<void> => guarded.close()
  return Object.freeze({
    getMe: reads.getMe.bind(reads),
    getNode: reads.getNode.bind(reads),
    getNodes: reads.getNodes.bind(reads),
    getEdge: reads.getEdge.bind(reads),
    getEdges: reads.getEdges.bind(reads),
    hasEdge: reads.hasEdge.bind(reads),
    iterateEdge: reads.iterateEdge.bind(reads),
    explain: explain.bind(undefined, { registry, planner, largestPage: settled.limits.page }),
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

/**
 * Makes a graph of a store: reads, writes and tokens over its data. The store opens at the first use; `close` ends it.
 * Without a `schema` the graph is of {@link socialSchema}. Its functions are free of `this`.
 *
 * @throws TypeError for what is no store, an unknown option, or one that the store or the schema does not fit.
 * @example
 * ```ts
 * import { createGraph } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const graph = createGraph(createMemoryStore())
 * await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
 * const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: [] })
 * console.log(await graph.getMe(token)) // { name: 'Ada', id: '1' }
 * ```
 */
export const createGraph = <TSchema extends Schema = typeof socialSchema>(
  store: Store,
  options: GraphOptions<TSchema> = {},
): Graph<TSchema> => createUntyped(store, options) as unknown as Graph<TSchema>
