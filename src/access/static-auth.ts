import { describe } from '../base/describe.ts'
import { assertObject, assertOptions } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import type { Auth } from './auth.ts'
import { toGrant } from './grant.ts'
import { MASK, maskOf } from './mask.ts'
import type { SessionRequest } from './sessions.ts'
import { tokenKey } from './token-text.ts'

/** Nothing is said of a declaration but its place: its name is the token. */
const toSession = (declared: unknown, place: string): Session => {
  assertObject(place, declared)
  assertOptions(place, declared, ['viewer', 'app', 'scopes'])
  return Object.freeze({ ...toGrant(place, declared), issuedAt: 0, expiresAt: undefined })
}

/**
 * Lets in fixed tokens, each for a viewer or for an app alone: for tests, tools and services. A token stands until it is
 * declared no more. It is looked up by its SHA-256, so that the time of an answer tells its length at the most. No message
 * shows it, unless it has fewer than four characters.
 *
 * @throws TypeError for an empty token, and for what is no viewer, app or list of scopes.
 * @example
 * ```ts
 * import { createGraph, createStaticAuth } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const auth = createStaticAuth({ 'token of a test': { viewer: '4', app: 'tests', scopes: ['email'] } })
 * const graph = createGraph(createMemoryStore(), { auth })
 * await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
 * console.log(await graph.getMe('token of a test')) // { name: 'Ada', id: '4' }
 * ```
 */
export const createStaticAuth = (tokens: { readonly [token: string]: SessionRequest }): Auth => {
  if (typeof tokens !== 'object' || tokens === null || Array.isArray(tokens)) {
    throw new TypeError(`createStaticAuth: expected an object of grants by token, came ${describe(tokens)}`)
  }
  const sessions = new Map<string, Session>()
  for (const [index, [token, declared]] of Object.entries(tokens).entries()) {
    const place = `createStaticAuth: token ${index + 1}`
    if (token === '') throw new TypeError(`${place}: expected text that is not empty, came ""`)
    sessions.set(tokenKey(token), toSession(declared, place))
  }
  // Hashing takes longer than a small read: what has no declared length is not hashed.
  const lengths = new Set(Object.keys(tokens).map(token => token.length))
  return Object.freeze({
    [MASK]: maskOf(Object.keys(tokens)),
    authenticate: (token: string) => {
      const session = lengths.has(token.length) ? sessions.get(tokenKey(token)) : undefined
      return session && { session }
    },
  })
}
