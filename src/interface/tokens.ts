import type { TokenInspection, TokenRequest } from '../access/tokens.ts'
import type { NodeId } from '../base/ids.ts'

/** The tokens that a graph keeps in its store: as digests, so that a copy of the store lets nobody in. */
export interface GraphTokens {
  /**
   * Makes a token. Its text is told this once.
   *
   * @throws GraphError `bad_parameter` for a viewer who is no node of a viewer type.
   * @throws TypeError for an unknown option or one of another type.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const graph = createGraph(createMemoryStore())
   * await graph.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
   * const token = await graph.tokens.issue({ viewer: '4', app: 'demo', scopes: ['email'], expiresIn: 3_600_000 })
   * console.log(await graph.getMe(token)) // { name: 'Ada', id: '4' }
   * ```
   */
  issue(request: TokenRequest): Promise<string>

  /**
   * Ends a token: the next read refuses it. One that lets nobody in is left alone.
   *
   * @throws GraphError `token_missing` for what is no text; `bad_parameter` for a token that `issue` did not make and that
   * lets in, such as a JWT or the secret of an app: it ends where it was made.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const { tokens } = createGraph(createMemoryStore())
   * const token = await tokens.issue({ app: 'demo' })
   * await tokens.revoke(token)
   * console.log((await tokens.inspect(token)).refused) // revoked
   * ```
   */
  revoke(token: string): Promise<void>

  /**
   * Ends all tokens that `issue` made for a viewer so far, whatever their app and whatever the clocks of the processes that
   * issued them. A token that is issued at the same time may be ended, too. Tokens of other kinds stay as they are.
   *
   * @throws TypeError for what is no id.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const { tokens, write } = createGraph(createMemoryStore())
   * await write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
   * const token = await tokens.issue({ viewer: '4', app: 'demo' })
   * await tokens.revokeAll({ viewer: '4' })
   * console.log((await tokens.inspect(token)).refused) // revoked
   * ```
   */
  revokeAll(request: { readonly viewer: NodeId }): Promise<void>

  /**
   * Tells whom a token of any kind stands for and whether it is valid. Times are milliseconds since the epoch. Of one that
   * is refused, it tells for whom it was only where `issue` made it.
   *
   * @throws GraphError `token_missing` for what is no text; `store_fault` where the token cannot be checked at present.
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
  inspect(token: string): Promise<TokenInspection>
}
