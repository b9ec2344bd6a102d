import type { Auth } from '../auth.ts'
import { JwtAuth } from './jwt-auth.ts'
import { assertJwtOptions, type JwtAuthOptions } from './jwt-options.ts'

/**
 * Accepts JSON Web Tokens that an issuer signed. It needs `jose`, an optional peer dependency. Set `issuer`
 * and `audience` whenever the issuer's tokens have them. A token of another issuer is left to the next
 * `Auth`; a key set that cannot be fetched is a transient error. A token is verified in every call, and
 * cannot be revoked before it expires.
 *
 * @throws TypeError for an unknown option, one of another type, and a key that does not fit the algorithms.
 * @example
 * ```ts
 * import { SignJWT } from 'jose'
 * import { createGraph } from 'kithgraph'
 * import { createJwtAuth } from 'kithgraph/jwt'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const secret = crypto.getRandomValues(new Uint8Array(32))
 * const auth = createJwtAuth({ secret, issuer: 'https://id.example.org', audience: 'graph' })
 * const graph = createGraph(createMemoryStore(), { auth })
 * await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
 *
 * const jwt = new SignJWT({ azp: 'demo', scope: 'email' }).setProtectedHeader({ alg: 'HS256' }).setSubject('4')
 * const token = await jwt.setIssuer('https://id.example.org').setAudience('graph').setExpirationTime('1h').sign(secret)
 * console.log(await graph.getMe(token)) // { name: 'Ada', id: '4' }
 * ```
 */
export const createJwtAuth = (options: JwtAuthOptions): Auth => {
  assertJwtOptions(options)
  return new JwtAuth(options)
}
