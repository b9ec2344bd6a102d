import { createGraph, type GraphOptions } from 'kithgraph'
import type { Store } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { ADA, createWorldStore, SCOPES } from '../../helpers/world.ts'

/** Opens the world over a store with replaced methods, and a session of Ada. */
export const openWorldWithStore = async (
  override: (store: Store) => Partial<Store>,
  options: GraphOptions = {},
) => {
  const memory = await createWorldStore()
  const graph = createGraph(delegateStore(memory, override(memory)), options)
  return { memory, graph, ada: graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES }) }
}
