import type { TokenInspection } from '../access/token-inspection.ts'
import type { RevokeAllOptions, TokenOptions } from '../access/tokens.ts'
import type { Token } from './read-options.ts'

/**
 * The tokens in the store of a graph. The store contains only their digests, so a copy of the store contains
 * no usable token.
 */
export interface GraphTokens {
  /**
   * Creates a token and returns its text. The text cannot be read again later.
   *
   * @throws GraphError `invalid_parameter` for a viewer that is not a node of a viewer type.
   * @throws TypeError for an unknown option or an option of the wrong type.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
   * const token = await graph.tokens.issue({ viewer: '4', app: 'demo', scopes: ['email'], expiresInMs: 3_600_000 })
   * console.log(await graph.getMe(token)) // { name: 'Ada', id: '4' }
   * ```
   */
  issue(options: TokenOptions): Promise<Token>

  /**
   * Revokes a token. The next read with the token fails. A token that is not valid is not changed.
   *
   * @throws GraphError `token_missing` for an empty string; `invalid_parameter` for a valid token that
   * `issue` did not create, such as a JWT or the secret of an app, which cannot be revoked here.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const { tokens } = createGraph(createMemoryStore())
   * const token = await tokens.issue({ app: 'demo' })
   * await tokens.revoke(token)
   * console.log((await tokens.inspect(token)).failure) // revoked
   * ```
   */
  revoke(token: Token): Promise<void>

  /**
   * Revokes all tokens that `issue` created for a viewer, for all apps. The revocation does not depend on the
   * clocks of the processes that issued the tokens. A token that is issued at the same time may also be
   * revoked. Tokens of other kinds are not changed.
   *
   * @throws TypeError for a value that is not an id.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const { tokens, write } = createGraph(createMemoryStore())
   * await write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
   * const token = await tokens.issue({ viewer: '4', app: 'demo' })
   * await tokens.revokeAll({ viewer: '4' })
   * console.log((await tokens.inspect(token)).failure) // revoked
   * ```
   */
  revokeAll(options: RevokeAllOptions): Promise<void>

  /**
   * Returns the viewer, app and scopes of a token of any kind, and whether the token is valid. Times are
   * milliseconds since the epoch. For a token that is not valid, these details are returned only if `issue`
   * created the token.
   *
   * @throws GraphError `token_missing` for an empty string; `store_error` if the token cannot be checked at
   * the moment.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const { tokens } = createGraph(createMemoryStore())
   * const token = await tokens.issue({ app: 'demo', scopes: ['email'] })
   * console.log((await tokens.inspect(token)).scopes) // [ 'email' ]
   * ```
   */
  inspect(token: Token): Promise<TokenInspection>
}
