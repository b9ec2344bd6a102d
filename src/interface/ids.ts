import type { PublicId, RawId } from '../base/ids.ts'

/**
 * Converts the ids of nodes between their stored form and the public ids of an app. If the graph has no
 * `appIds`, public ids are the stored ids.
 */
export interface GraphIds {
  /**
   * Returns the public id of a node for an app: 20 digits. Use it only for nodes of `appScoped` types: the
   * public ids of other nodes are their stored ids.
   *
   * @throws TypeError if `id` is not the id of a node or `app` is not the name of an app.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createAppIds } from 'kithgraph/app-ids'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const appIds = createAppIds({ secrets: { 1: 'a secret of at least 16' }, current: 1 })
   * const { ids } = createGraph(createMemoryStore(), { appIds, secret: 'random text for cursors' })
   * console.log(ids.toPublic('4', 'demo').length, ids.toPublic('4', 'demo') === ids.toPublic('4', 'other')) // 20 false
   * ```
   */
  toPublic(id: RawId, app: string): PublicId

  /**
   * Returns the stored id for a public id of an app, or `undefined` if the value is not a public id. For a
   * forged id or an id of another app, returns `undefined` or a random id that almost never exists.
   *
   * @throws TypeError if `publicId` is not a string or `app` is not the name of an app.
   * @example
   * ```ts
   * import { createGraph } from 'kithgraph'
   * import { createAppIds } from 'kithgraph/app-ids'
   * import { createMemoryStore } from 'kithgraph/memory'
   *
   * const appIds = createAppIds({ secrets: { 1: 'a secret of at least 16' }, current: 1 })
   * const { ids } = createGraph(createMemoryStore(), { appIds, secret: 'random text for cursors' })
   * console.log(ids.toRaw(ids.toPublic('4', 'demo'), 'demo'), ids.toRaw('4', 'demo')) // 4 undefined
   * ```
   */
  toRaw(publicId: PublicId, app: string): RawId | undefined
}
