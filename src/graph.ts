import { ChainAuth } from './access/chain-auth.ts'
import { Ids } from './access/ids.ts'
import { createKeys } from './access/keys.ts'
import { maskOfGraph } from './access/mask.ts'
import { Masking } from './access/masking.ts'
import { createSealer } from './access/sealer.ts'
import { Sessions } from './access/sessions.ts'
import { StoreAuth } from './access/store-auth.ts'
import { Tokens } from './access/tokens.ts'
import { freeMethods } from './base/free-methods.ts'
import { Turns } from './base/turns.ts'
import { ENGINE, type Engine } from './execute/engine.ts'
import { PASS_SIZES } from './execute/pass-size.ts'
import { Reads } from './execute/reads.ts'
import { drawUniform } from './execute/scan-limit.ts'
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

const READS = ['getMe', 'getNode', 'getNodes', 'getEdge', 'getEdges', 'hasEdge', 'iterateEdge'] as const
const TOKENS = ['issue', 'revoke', 'revokeAll', 'inspect'] as const

/** Puts the layers together; what the literals of a schema and a call say of types is the compiler's alone. */
const createUntyped = (store: Store, options: GraphOptions): UntypedGraph => {
  const guarded = guardStore(store)
  const { schema, version, now, secret, auths, ...settled } = settleOptions(guarded, options)
  const registry = new Registry(schema, version)
  const planner = new Planner(registry, settled.limits)
  const own = new StoreAuth({ now, secret, appSecrets: settled.appSecrets })
  const auth = auths.length === 0 ? own : new ChainAuth(auths, own)
  const sessions = new Sessions(now)
  const isSession = (value: object): boolean => sessions.has(value)
  let closed = false
  const assertOpen = (): void => {
    if (closed) throw new TypeError('The graph is closed')
  }
  const close = async (): Promise<void> => {
    closed = true
    await guarded.close()
  }
  const keyed = { sealer: createSealer(secret), keyFor: createKeys(secret) }
  const masking = new Masking(maskOfGraph(auths, settled.appSecrets))
  const parts = { registry, planner, auth, masking, ...keyed, store: guarded, now, isSession, assertOpen }
  const turns = new Turns()
  const engine: Engine = { ...settled, ...parts, turns, drawUniform, passSizes: PASS_SIZES }
  const tokens = new Tokens({ store: guarded, auth, now, secret, viewers: schema.viewers })
  const graph = {
    ...freeMethods(new Reads(engine), ...READS),
    ...createWriter({ registry, store: guarded, now }),
    ...freeMethods(sessions, 'session'),
    explain: explain.bind(undefined, { registry, planner, masking, limits: settled.limits }),
    tokens: freeMethods(tokens, ...TOKENS),
    ids: freeMethods(new Ids(settled.appIds), 'toPublic', 'toRaw'),
    close,
    [Symbol.asyncDispose]: close,
  }
  return Object.freeze(Object.defineProperty(graph, ENGINE, { value: engine }))
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
