import { createGraph, type Store } from 'kithgraph'
import { archiveSchema } from './schema.ts'

/** The duration of a query, and its number of store reads. */
export type QueryStats = { readonly milliseconds: number; readonly reads: number }

/** The maximum depth of expressions. Threads of messages need more than the default of 8 levels. */
const DEPTH = 12

/** Creates a graph for an archive over a store, and records the statistics of the latest query. */
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

/** The return value of {@link createArchiveGraph}. */
export type ArchiveGraph = ReturnType<typeof createArchiveGraph>
