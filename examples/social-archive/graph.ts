import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { archiveSchema } from './schema.ts'

/** What a query took. */
export type Taken = { readonly milliseconds: number; readonly waves: number }

/** Threads nest deeper than the default of 8 levels allows. */
const DEPTH = 12

/** A graph for an archive, and what its latest query took. */
export const createArchiveGraph = () => {
  let taken: Taken = { milliseconds: 0, waves: 0 }
  const graph = createGraph(createMemoryStore(), {
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
