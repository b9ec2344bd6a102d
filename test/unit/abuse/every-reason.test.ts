import { readFileSync } from 'node:fs'
import { createGraph, field, type GraphError, socialSchema } from 'kithgraph'
import { createHandler, type HandlerOptions } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import type { ErrorReason } from '../../../src/base/error-kinds.ts'
import type { Store } from '../../../src/store/contract.ts'
import { createActionWorld } from '../../helpers/action-world.ts'
import { ADA, createWorld, createWorldStore, NOBODY, SCOPES } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from './expect-graph-error.ts'

const { graph, ada, unscoped, app } = await createWorld()
const { getMe, getNode, getNodes, tokens } = graph

/** Reads Ada from a graph whose store has some methods replaced. */
const readWithStore = async (replaced: Partial<Store>, options: object = {}): Promise<unknown> => {
  const { getMe, session } = createGraph({ ...(await createWorldStore()), ...replaced }, options)
  return getMe(session({ viewer: ADA, app: 'demo', scopes: SCOPES }))
}

const token = await tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
const authorization = `OAuth ${token}`

/** Sends a request and throws the error of its response. */
const request = async (
  path: string,
  init: RequestInit = {},
  options: HandlerOptions = {},
  servedGraph: Parameters<typeof createHandler>[0] = graph,
): Promise<void> => {
  let error: GraphError | undefined
  const handler = createHandler(servedGraph, { ...options, onError: reported => (error = reported) })
  await handler(new Request(`https://api.example${path}`, { headers: { authorization }, ...init }))
  if (error !== undefined) throw error
}

const post = (parameters: { readonly [name: string]: string }, options?: HandlerOptions): Promise<void> =>
  request('/', { method: 'POST', body: new URLSearchParams(parameters) }, options)

/** A limiter without any points left. */
const exhaustedLimiter = {
  consume: () => Promise.reject({ consumedPoints: 2, remainingPoints: 0, msBeforeNext: 1000 }),
}

const readAs = (fields: string): Promise<unknown> => callUntyped(getNode, ada, { id: ADA, fields })

/** An example of each reason. The compiler requires that none is missing. */
const EXAMPLES: { readonly [reason in ErrorReason]: () => Promise<unknown> } = {
  token_missing: () => getMe(''),
  viewer_required: () => getMe(app),
  token_invalid: () => getMe('no such token'),
  token_expired: async () => {
    const clock = { now: 0 }
    const { tokens, getMe } = createGraph(await createWorldStore(), { now: () => clock.now })
    const token = await tokens.issue({ viewer: ADA, app: 'demo', scopes: [], expiresInMs: 1 })
    clock.now = 1
    return getMe(token)
  },
  token_revoked: async () => {
    const token = await tokens.issue({ viewer: ADA, app: 'demo', scopes: [] })
    await tokens.revoke(token)
    return getMe(token)
  },
  proof_invalid: async () =>
    getMe(await tokens.issue({ viewer: ADA, app: 'demo', scopes: [] }), { proof: 'wrong' }),
  node_not_found: () => getNode(ada, { id: NOBODY }),
  field_not_found: () => readAs('nmae'),
  invalid_parameter: () => getNode(ada, { id: 'Ada' }),
  invalid_syntax: () => readAs('name,'),
  duplicate_name: () => readAs('name,name'),
  field_not_in_version: async () => {
    const schema = socialSchema.extend(
      { user: { fields: { motto: field.string({ since: 'v2.0' }) } } },
      { versions: ['v1.0', 'v2.0'] },
    )
    const { getNode, session } = createGraph(await createWorldStore(), { schema })
    const viewer = session({ viewer: ADA, app: 'demo', scopes: [] })
    return callUntyped(getNode, viewer, { id: ADA, fields: 'motto', version: 'v1.0' })
  },
  scope_missing: () => getNode(unscoped, { id: ADA, fields: 'photos' }),
  path_not_found: () => request('/1/photos/9/more'),
  method_not_supported: () => request('/me', { method: 'DELETE' }),
  batch_too_large: () => post({ batch: '[{},{}]' }, { limits: { batch: 1 } }),
  invalid_batch: () => post({ batch: '{}' }),
  request_too_large: () => request(`/me?fields=${'a'.repeat(17_000)}`),
  request_too_slow: () => {
    const endless = new ReadableStream({ pull: () => new Promise(() => undefined) })
    return request('/', { method: 'POST', body: endless, duplex: 'half' }, { limits: { bodyTimeMs: 5 } })
  },
  app_rate_limited: () => request('/me', {}, { rateLimit: { app: exhaustedLimiter } }),
  user_rate_limited: () => request('/me', {}, { rateLimit: { user: exhaustedLimiter } }),
  too_many_ids: () => getNodes(ada, { ids: Array.from({ length: 51 }, (_, index) => `${index + 1}`) }),
  expression_too_long: () => readAs('a'.repeat(8193)),
  expression_too_deep: () => readAs(`${'a{'.repeat(8)}a${'}'.repeat(8)}`),
  expression_too_wide: () => readAs(Array.from({ length: 201 }, (_, index) => `a${index}`).join(',')),
  query_too_expensive: () => readAs('photos.limit(100){comments.limit(100){comments.limit(100)}}'),
  response_too_large: () => request('/me', {}, { limits: { response: 10 } }),
  conflict: () =>
    graph.write([
      { op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } }, when: { exists: false } },
    ]),
  invalid_mutation: () =>
    callUntyped(graph.write, [{ op: 'putNode', node: { id: '7', type: 'user', fields: {} } }]),
  action_denied: async () => {
    const { graph, grace } = await createActionWorld()
    const parameters = { about: 'Eve' }
    return graph.callAction(grace, { type: 'user', id: '1', action: 'update', parameters })
  },
  action_failed: async () => {
    const { graph, ada } = await createActionWorld()
    const update = (about: string) =>
      graph.callAction(ada, { id: 'me', action: 'update', parameters: { about }, idempotencyKey: 'key' })
    await update('Mathematician')
    return update('Countess')
  },
  origin_not_allowed: async () => {
    const { graph } = await createActionWorld()
    const headers = { 'sec-fetch-site': 'cross-site' }
    return request('/me', { method: 'POST', headers }, {}, graph)
  },
  store_error: () =>
    readWithStore({
      read: () => {
        throw new Error('disk on fire')
      },
    }),
  timeout: () => readWithStore({ read: () => new Promise(() => undefined) }, { limits: { timeoutMs: 5 } }),
  aborted: () => getMe(ada, { signal: AbortSignal.abort() }),
  internal_error: async () => {
    const broken = field.string({ resolve: () => [] })
    const schema = socialSchema.extend({ user: { fields: { broken } } })
    const { getMe, session } = createGraph(await createWorldStore(), { schema })
    return callUntyped(getMe, session({ viewer: ADA, app: 'demo', scopes: [] }), { fields: 'broken' })
  },
}

/** Reads the reasons that the source declares. */
const readDeclaredReasons = (): string[] => {
  const source = readFileSync(new URL('../../../src/base/error-kinds.ts', import.meta.url), 'utf8')
  return [...source.matchAll(/^ {2}([a-z_]+): \{ status: /gm)].map(([, reason = '']) => reason)
}

describe('every reason of an error', () => {
  it('has an example in this test', () => {
    expect(readDeclaredReasons().length).toBeGreaterThan(20)
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(readDeclaredReasons().toSorted())
  })

  it.each(Object.entries(EXAMPLES))(
    'is thrown by an example, with a message and a trace id: %s',
    async (reason, example) => {
      const error = await expectGraphError(example())
      expect(error.reason).toBe(reason)
      expect(error.message).not.toBe('')
      expect(error.message.length).toBeLessThan(10_000)
      expect(error.toJSON().error.fbtrace_id).toBe(error.traceId)
    },
  )
})

describe('the message of an error', () => {
  it.each(Object.entries(EXAMPLES))(
    'begins with the error code if and only if that of the Graph API does: %s',
    async (reason, example) => {
      const { message, code } = await expectGraphError(example())
      const without =
        /^token_(?!missing)|^viewer|^proof|^node|^invalid_syntax|^duplicate|^path_not_found|^method/.test(
          reason,
        )
      expect(message.startsWith(`(#${code}) `)).toBe(!without)
    },
  )
})
