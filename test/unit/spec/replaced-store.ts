import { createGraph, type GraphOptions } from 'kithgraph'
import type { Store } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { ADA, SCOPES, worldStore } from '../../helpers/world.ts'

/** The world over a store with some methods replaced, seen by Ada. */
export const openWorld = async (replaced: (store: Store) => Partial<Store>, options: GraphOptions = {}) => {
  const memory = await worldStore()
  const graph = createGraph(delegateStore(memory, replaced(memory)), options)
  return { memory, graph, ada: graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES }) }
}
