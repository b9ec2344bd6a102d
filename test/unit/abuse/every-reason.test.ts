import { readFileSync } from 'node:fs'
import { createGraph, field, type GraphError, socialSchema } from 'kithgraph'
import { createHandler, type HandlerOptions } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import type { FaultReason } from '../../../src/base/faults.ts'
import type { Store } from '../../../src/store/contract.ts'
import { ADA, createWorld, NOBODY, SCOPES, worldStore } from '../../helpers/world.ts'
import { faultOf, loosely } from './fault-of.ts'

const { graph, ada, stranger, app } = await createWorld()
const { getMe, getNode, getNodes, tokens } = graph

/** Asks a graph of another store for Ada. */
const askOf = async (replaced: Partial<Store>, options: object = {}): Promise<unknown> => {
  const { getMe, session } = createGraph({ ...(await worldStore()), ...replaced }, options)
  return getMe(session({ viewer: ADA, app: 'demo', scopes: SCOPES }))
}

const token = await tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
const authorization = `OAuth ${token}`

/** Throws the fault that a request is answered with. */
const request = async (path: string, init: RequestInit = {}, options: HandlerOptions = {}): Promise<void> => {
  let fault: GraphError | undefined
  const handler = createHandler(graph, { ...options, onFault: told => (fault = told) })
  await handler(new Request(`https://api.example${path}`, { headers: { authorization }, ...init }))
  if (fault !== undefined) throw fault
}

const post = (parameters: { readonly [name: string]: string }, options?: HandlerOptions): Promise<void> =>
  request('/', { method: 'POST', body: new URLSearchParams(parameters) }, options)

/** A limiter whose allowance is used up. */
const usedUp = {
  consume: () => Promise.reject({ consumedPoints: 2, remainingPoints: 0, msBeforeNext: 1000 }),
}

const ask = (fields: string): Promise<unknown> => loosely(getNode, ada, { id: ADA, fields })

/** How each reason comes about: the compiler asks for one of each. */
const EXAMPLES: { readonly [reason in FaultReason]: () => Promise<unknown> } = {
  token_missing: () => getMe(''),
  viewer_missing: () => getMe(app),
  token_unknown: () => getMe('no such token'),
  token_expired: async () => {
    const clock = { now: 0 }
    const { tokens, getMe } = createGraph(await worldStore(), { now: () => clock.now })
    const token = await tokens.issue({ viewer: ADA, app: 'demo', scopes: [], expiresIn: 1 })
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
  node_missing: () => getNode(ada, { id: NOBODY }),
  unknown_field: () => ask('nmae'),
  bad_parameter: () => getNode(ada, { id: 'Ada' }),
  syntax: () => ask('name,'),
  duplicate: () => ask('name,name'),
  not_in_version: async () => {
    const schema = socialSchema.extend(
      { user: { fields: { motto: field.string({ since: 'v2.0' }) } } },
      { versions: ['v1.0', 'v2.0'] },
    )
    const { getNode, session } = createGraph(await worldStore(), { schema })
    const viewer = session({ viewer: ADA, app: 'demo', scopes: [] })
    return loosely(getNode, viewer, { id: ADA, fields: 'motto', version: 'v1.0' })
  },
  scope_missing: () => getNode(stranger, { id: ADA, fields: 'photos' }),
  unknown_path: () => request('/1/photos/9/more'),
  method_not_supported: () => request('/me', { method: 'DELETE' }),
  too_many_batch_items: () => post({ batch: '[{},{}]' }, { limits: { batch: 1 } }),
  bad_batch: () => post({ batch: '{}' }),
  request_too_large: () => request(`/me?fields=${'a'.repeat(17_000)}`),
  request_too_slow: () => {
    const endless = new ReadableStream({ pull: () => new Promise(() => undefined) })
    return request('/', { method: 'POST', body: endless, duplex: 'half' }, { limits: { bodyTime: 5 } })
  },
  rate_limited_app: () => request('/me', {}, { rateLimit: { app: usedUp } }),
  rate_limited_user: () => request('/me', {}, { rateLimit: { user: usedUp } }),
  too_many_ids: () => getNodes(ada, { ids: Array.from({ length: 51 }, (_, index) => `${index + 1}`) }),
  expression_too_long: () => ask('a'.repeat(8193)),
  expression_too_deep: () => ask(`${'a{'.repeat(8)}a${'}'.repeat(8)}`),
  expression_too_wide: () => ask(Array.from({ length: 201 }, (_, index) => `a${index}`).join(',')),
  too_costly: () => ask('photos.limit(100){comments.limit(100){comments.limit(100)}}'),
  answer_too_large: () => request('/me', {}, { limits: { answer: 10 } }),
  invalid_mutation: () =>
    loosely(graph.write, [{ op: 'putNode', node: { id: '7', type: 'user', fields: {} } }]),
  store_fault: () =>
    askOf({
      read: () => {
        throw new Error('disk on fire')
      },
    }),
  deadline: () => askOf({ read: () => new Promise(() => undefined) }, { limits: { deadline: 5 } }),
  aborted: () => getMe(ada, { signal: AbortSignal.abort() }),
  internal: async () => {
    const broken = field.string({ resolve: () => [] })
    const schema = socialSchema.extend({ user: { fields: { broken } } })
    const { getMe, session } = createGraph(await worldStore(), { schema })
    return loosely(getMe, session({ viewer: ADA, app: 'demo', scopes: [] }), { fields: 'broken' })
  },
}

/** The reasons as the source declares them. */
const declared = (): string[] => {
  const source = readFileSync(new URL('../../../src/base/faults.ts', import.meta.url), 'utf8')
  return [...source.matchAll(/^ {2}([a-z_]+): \{ status: /gm)].map(([, reason = '']) => reason)
}

describe('every reason', () => {
  it('has an example here', () => {
    expect(declared().length).toBeGreaterThan(20)
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(declared().toSorted())
  })

  it.each(Object.entries(EXAMPLES))('%s', async (reason, example) => {
    const fault = await faultOf(example())
    expect(fault.data.reason).toBe(reason)
    expect(fault.message).not.toBe('')
    expect(fault.message.length).toBeLessThan(10_000)
    expect(fault.toJSON().error.fbtrace_id).toBe(fault.traceId)
  })
})

describe('a message', () => {
  it.each(Object.entries(EXAMPLES))(
    'of %s begins with its code, where the classic one does',
    async (reason, example) => {
      const { message, code } = await faultOf(example())
      const without = /^token_(?!missing)|^viewer|^proof|^node|^syntax|^duplicate|^unknown_path|^method/.test(
        reason,
      )
      expect(message.startsWith(`(#${code}) `)).toBe(!without)
    },
  )
})
