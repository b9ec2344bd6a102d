import { createGraph, type Store } from 'kithgraph'
import { archiveSchema } from './schema.ts'

/** What a query took. */
export type Taken = { readonly milliseconds: number; readonly waves: number }

/** Threads nest deeper than the default of 8 levels allows. */
const DEPTH = 12

/** A graph of an archive in a store, and what its latest query took. */
export const createArchiveGraph = (store: Store) => {
  let taken: Taken = { milliseconds: 0, waves: 0 }
  const graph = createGraph(store, {
    schema: archiveSchema,
    limits: { depth: DEPTH },
    onRead: event => {
      if (event.kind === 'query') taken = { milliseconds: event.duration, waves: event.waves }
    },
  })
  return { graph, latest: () => taken }
}

/** A graph as {@link createArchiveGraph} makes it. */
export type ArchiveGraph = ReturnType<typeof createArchiveGraph>
