import { createGraph, type GraphOptions } from 'kithgraph'
import type { Store } from '../../../src/store/contract.ts'
import { ADA, SCOPES, worldStore } from '../../helpers/world.ts'

/** A store like another, but with some methods replaced. */
export const storeWith = (store: Store, replaced: Partial<Store>): Store => ({
  capabilities: store.capabilities,
  open: () => store.open(),
  close: () => store.close(),
  read: (wave, options) => store.read(wave, options),
  write: (mutations, options) => store.write(mutations, options),
  snapshot: () => store.snapshot(),
  ...replaced,
})

/** The world over a store with some methods replaced, seen by Ada. */
export const openWorld = async (replaced: (store: Store) => Partial<Store>, options: GraphOptions = {}) => {
  const memory = await worldStore()
  const graph = createGraph(storeWith(memory, replaced(memory)), options)
  return { memory, graph, ada: graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES }) }
}
