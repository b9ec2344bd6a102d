import { ChainAuth } from './access/chain-auth.ts'
import { createCursorCipher } from './access/cursor-cipher.ts'
import { createDeriveKey } from './access/derive-key.ts'
import { IdMapper } from './access/id-mapper.ts'
import { createGraphMask } from './access/mask.ts'
import { Masking } from './access/masking.ts'
import { Sessions } from './access/sessions.ts'
import { StoreAuth } from './access/store-auth.ts'
import { Tokens } from './access/tokens.ts'
import { bindMethods } from './base/bind-methods.ts'
import { TurnQueue } from './base/turn-queue.ts'
import { usageErrorAbout } from './base/usage-error.ts'
import { ENGINE, type Engine } from './execute/engine.ts'
import { DEFAULT_PASS_SIZES } from './execute/pass-size.ts'
import { ReadApi } from './execute/read-api.ts'
import { drawUniform } from './execute/scan-limit.ts'
import type { Graph } from './graph-interface.ts'
import { type GraphOptions, resolveOptions } from './graph-options.ts'
import type { GraphImplementation } from './interface/graph-implementation.ts'
import { explain } from './plan/explain.ts'
import { Planner } from './plan/planner.ts'
import { Registry } from './schema/registry.ts'
import type { Schema } from './schema/schema.ts'
import type { SocialSchema } from './schema/social/social-schema.ts'
import type { Store } from './store/contract.ts'
import { guardStore } from './store/guard.ts'
import { createWriter } from './write/writer.ts'

const READ_METHODS = [
  'getMe',
  'getNode',
  'getNodes',
  'getEdge',
  'getEdges',
  'hasEdge',
  'iterateEdge',
] as const
const TOKEN_METHODS = ['issue', 'revoke', 'revokeAll', 'inspect'] as const

/** Creates a graph from its layers. The types of a schema exist only at compile time. */
const createGraphImplementation = (store: Store, options: GraphOptions): GraphImplementation => {
  const guardedStore = guardStore(store)
  const { schema, version, now, secret, auths, ...resolvedOptions } = resolveOptions(guardedStore, options)
  const registry = new Registry(schema, version)
  const planner = new Planner(registry, resolvedOptions.limits)
  const storeAuth = new StoreAuth({ now, secret, appSecrets: resolvedOptions.appSecrets })
  const auth = auths.length === 0 ? storeAuth : new ChainAuth(auths, storeAuth)
  const sessions = new Sessions(now)
  const isSession = (value: object): boolean => sessions.has(value)
  let isClosed = false
  const assertOpen = (method: string): void => {
    if (isClosed) throw usageErrorAbout(method, 'the graph', 'open', 'a closed graph')
  }
  const close = async (): Promise<void> => {
    isClosed = true
    await guardedStore.close()
  }
  const cryptoParts = { cursorCipher: createCursorCipher(secret), deriveKey: createDeriveKey(secret) }
  const masking = new Masking(createGraphMask(auths, resolvedOptions.appSecrets))
  const engineParts = {
    registry,
    planner,
    auth,
    masking,
    ...cryptoParts,
    store: guardedStore,
    now,
    isSession,
    assertOpen,
  }
  const turnQueue = new TurnQueue()
  const engine: Engine = {
    ...resolvedOptions,
    ...engineParts,
    turnQueue,
    drawUniform,
    passSizes: DEFAULT_PASS_SIZES,
  }
  const tokens = new Tokens({ store: guardedStore, auth, now, secret, viewerTypes: schema.viewers })
  const graph = {
    ...bindMethods(new ReadApi(engine), ...READ_METHODS),
    ...createWriter({ registry, store: guardedStore, now }),
    ...bindMethods(sessions, 'session'),
    explain: explain.bind(undefined, { registry, planner, masking, limits: resolvedOptions.limits }),
    tokens: bindMethods(tokens, ...TOKEN_METHODS),
    ids: bindMethods(new IdMapper(resolvedOptions.appIds), 'toPublic', 'toRaw'),
    close,
    [Symbol.asyncDispose]: close,
  }
  return Object.freeze(Object.defineProperty(graph, ENGINE, { value: engine }))
}

/**
 * Creates a graph over a store: reads, writes and tokens of its data. The store opens at the first use, and
 * `close` closes it. Without a `schema` the graph has the {@link socialSchema}. Its methods do not use
 * `this`.
 *
 * @throws TypeError for a value that is not a store, an unknown option, or one that the store or the schema
 * does not support.
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
export const createGraph = <TSchema extends Schema = SocialSchema>(
  store: Store,
  options: GraphOptions<TSchema> = {},
): Graph<TSchema> => createGraphImplementation(store, options) as unknown as Graph<TSchema>
