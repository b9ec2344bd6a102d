import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertKnownOptions, assertObject } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import { usageError, usageErrorAbout } from '../base/usage-error.ts'
import type { Auth } from './auth.ts'
import { toGrant } from './grant.ts'
import { createMask, MASK_SYMBOL } from './mask.ts'
import type { GrantOptions } from './sessions.ts'
import { digestToken } from './token-family.ts'

/**
 * Validates the grant of a declared token. Error messages contain the position of the token in `tokens`,
 * because the name of the member is the token itself.
 */
const toSession = (sessionOptions: unknown, path: string): Session => {
  const caller = 'createStaticAuth'
  assertObject(caller, sessionOptions, path)
  assertKnownOptions(caller, sessionOptions, ['viewer', 'app', 'scopes', 'claims'], path)
  return Object.freeze({ ...toGrant(caller, sessionOptions, `${path}.`), issuedAt: 0, expiresAt: undefined })
}

/** Describes a wrong value of `tokens`. A string is not shown, because it may be a token. */
const describeTokens = (tokens: unknown): string =>
  typeof tokens === 'string' ? 'a string' : describeValue(tokens)

/**
 * Accepts fixed tokens, for tests, tools and services. A token is valid as long as it is declared. Tokens are
 * looked up by their SHA-256 hash, so response times reveal at most the length of a token. Messages mask
 * tokens of four or more characters.
 *
 * @throws TypeError for an empty token, or an invalid viewer, app, list of scopes or claims.
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
export const createStaticAuth = (tokens: { readonly [token: string]: GrantOptions }): Auth => {
  if (!isNonArrayObject(tokens)) {
    throw usageError('createStaticAuth', 'tokens', 'an object of grants by token', describeTokens(tokens))
  }
  const sessions = new Map<string, Session>()
  for (const [index, [token, sessionOptions]] of Object.entries(tokens).entries()) {
    if (token === '') throw usageErrorAbout('createStaticAuth', 'a token', 'a string that is not empty', '""')
    sessions.set(digestToken(token), toSession(sessionOptions, `tokens[${index}]`))
  }
  // Hashing takes longer than a small read, so a token is hashed only if a declared token has the same
  // length.
  const tokenLengths = new Set(Object.keys(tokens).map(token => token.length))
  return Object.freeze({
    [MASK_SYMBOL]: createMask(Object.keys(tokens)),
    authenticate: (token: string) => {
      const session = tokenLengths.has(token.length) ? sessions.get(digestToken(token)) : undefined
      return session && { session }
    },
  })
}
