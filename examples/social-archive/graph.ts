import { createGraph, type Store } from 'kithgraph'
import { archiveSchema } from './schema.ts'

/** The cost of a query. */
export type QueryStats = { readonly milliseconds: number; readonly reads: number }

/** Threads nest deeper than the default of 8 levels. */
const DEPTH = 12

/** Creates a graph of an archive in a store, and records the cost of its latest query. */
export const createArchiveGraph = (store: Store) => {
  let stats: QueryStats = { milliseconds: 0, reads: 0 }
  const graph = createGraph(store, {
    schema: archiveSchema,
    limits: { depth: DEPTH },
    onEvent: event => {
      if (event.kind === 'query') stats = { milliseconds: event.durationMs, reads: event.reads }
    },
  })
  return { graph, latestStats: () => stats }
}

/** The result of {@link createArchiveGraph}. */
export type ArchiveGraph = ReturnType<typeof createArchiveGraph>
