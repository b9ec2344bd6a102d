import type { NodeId } from '../base/ids.ts'

/** The ids of nodes as each app knows them. Where the graph has no `appIds`, every app knows those that the store holds. */
export interface GraphIds {
  /**
   * The id by which the app knows a node of an `appScoped` type: 20 digits. Nodes of other types keep theirs.
   *
   * @throws TypeError for what is no id of a node or no name of an app.
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
  toPublic(id: NodeId, app: string): string

  /**
   * The id that the store holds, for one by which the app knows a node. Undefined for what is no such id; what was forged,
   * or made for another app, is undefined too or the id of another node, which hardly ever exists.
   *
   * @throws TypeError for what is no text or no name of an app.
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
  toRaw(publicId: string, app: string): NodeId | undefined
}
