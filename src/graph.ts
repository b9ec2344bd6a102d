import { ChainAuth } from './access/chain-auth.ts'
import { createCursorCipher } from './access/cursor-cipher.ts'
import { IdMapper } from './access/id-mapper.ts'
import { createGraphMask } from './access/mask.ts'
import { Masking } from './access/masking.ts'
import { createDeriveKey } from './access/secret.ts'
import { Sessions } from './access/sessions.ts'
import { StoreAuth } from './access/store-auth.ts'
import { Tokens } from './access/tokens.ts'
import { Viewers } from './access/viewers.ts'
import { bindMethods } from './base/bind-methods.ts'
import type { Session } from './base/session.ts'
import { TurnQueue } from './base/turn-queue.ts'
import { usageErrorAbout } from './base/usage-error.ts'
import { ENGINE, type Engine } from './execute/engine.ts'
import { ReadApi } from './execute/read-api.ts'
import type { Graph } from './graph-interface.ts'
import { type AnyGraphOptions, type GraphOptions, resolveOptions } from './graph-options.ts'
import type { ActionCalls, DeclaredAction } from './interface/action-calls.ts'
import type { ExplainOptions, Token } from './interface/read-options.ts'
import { READ_METHODS, type UntypedReads } from './interface/untyped-reads.ts'
import { type Explanation, explain } from './plan/explain.ts'
import { Planner } from './plan/planner.ts'
import { DEFAULT_PASS_SIZES } from './read/pass-size.ts'
import { createDrawUniform } from './read/scan-limit.ts'
import { findListFlags, hasCollections } from './schema/list-flags.ts'
import { Registry } from './schema/registry.ts'
import type { AnySchema } from './schema/schema.ts'
import type { SocialSchema } from './schema/social/social-schema.ts'
import { withCompleteLists } from './store/complete-lists.ts'
import type { Store } from './store/contract.ts'
import { guardStore } from './store/guard.ts'
import { stripUnwantedFields } from './store/strip-unwanted-fields.ts'
import { createWriter } from './write/writer.ts'

const TOKEN_METHODS = ['issue', 'revoke', 'revokeAll', 'inspect'] as const

/** The implementation of a graph. It is untyped, because the types of a schema exist only at compile time. */
type GraphImplementation = UntypedReads<Token | Session> &
  Omit<Graph, keyof UntypedReads<unknown> | 'explain'> & { explain(options: ExplainOptions): Explanation }

/** Creates the engine, the sessions and the tokens of a graph. */
const createEngine = (guardedStore: Store, options: AnyGraphOptions, assertOpen: Engine['assertOpen']) => {
  const { schema, version, secret, auths, actions, ...resolvedOptions } = resolveOptions(
    guardedStore,
    options,
  )
  const strippedStore = resolvedOptions.checkReads ? stripUnwantedFields(guardedStore) : guardedStore
  const store = withCompleteLists(strippedStore, findListFlags(schema), hasCollections(schema))
  const { now, limits, appSecrets } = resolvedOptions
  const registry = new Registry(schema, version)
  const { kind } = registry.ids
  const storeAuth = new StoreAuth({ now, secret, kind, appSecrets })
  const viewers = new Viewers(schema)
  const auth = auths.length === 0 ? storeAuth : new ChainAuth(viewers, auths, storeAuth)
  const sessions = new Sessions(viewers, now)
  const engine: Engine = {
    ...resolvedOptions,
    store,
    registry,
    planner: new Planner(registry, limits),
    auth,
    masking: new Masking(createGraphMask(auths, appSecrets)),
    cursorCipher: createCursorCipher(secret),
    deriveKey: createDeriveKey(secret),
    isSession: (value): value is Session => sessions.has(value),
    assertOpen,
    actions: undefined,
    turnQueue: new TurnQueue(),
    drawUniform: createDrawUniform(),
    passSizes: DEFAULT_PASS_SIZES,
  }
  const tokens = new Tokens({ store, auth, now, secret, kind, viewerTypes: schema.viewers })
  return { engine, sessions, tokens, actions }
}

const createGraphImplementation = (store: Store, options: AnyGraphOptions): GraphImplementation => {
  const guardedStore = guardStore(store)
  let isClosed = false
  const { engine, sessions, tokens, actions } = createEngine(
    guardedStore,
    options,
    (method, caller): void => {
      if (isClosed && !sessions.lent.has(caller))
        throw usageErrorAbout(method, 'the graph', 'open', 'a closed graph')
    },
  )
  const close = async (): Promise<void> => {
    isClosed = true
    await engine.actions?.close()
    await guardedStore.close()
  }
  engine.actions = actions[0]?.['~install'](engine, actions, { graph: () => graph, sessions })
  const graph: GraphImplementation = {
    ...engine.actions?.methods,
    ...bindMethods(new ReadApi(engine), ...READ_METHODS),
    ...createWriter(engine),
    ...bindMethods(sessions, 'session'),
    explain: explain.bind(undefined, engine),
    tokens: bindMethods(tokens, ...TOKEN_METHODS),
    ids: bindMethods(new IdMapper(engine.registry.ids.kind, engine.appIds), 'toPublic', 'toRaw'),
    close,
    [Symbol.asyncDispose]: close,
  }
  return Object.freeze(Object.defineProperty(graph, ENGINE, { value: engine }))
}

/**
 * Creates a graph that reads and writes data in a store. The graph opens the store on first use, and `close`
 * closes it. The default schema is {@link socialSchema}. The methods of the graph do not use `this`.
 *
 * @throws TypeError if `store` is not a store, if an option is unknown, or if the store or the schema does
 * not support an option.
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
export const createGraph = <
  TSchema extends AnySchema = SocialSchema,
  TActions extends readonly DeclaredAction[] | undefined = undefined,
>(
  store: Store,
  options: GraphOptions<TSchema, TActions> = {},
): Graph<TSchema> & ActionCalls<TSchema, TActions> =>
  createGraphImplementation(store, options) as unknown as Graph<TSchema> & ActionCalls<TSchema, TActions>
