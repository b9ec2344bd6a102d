import { type Graph, isGraphError } from 'kithgraph'
import { type EventSearch, SEARCHED_FIELDS } from './event-search.ts'
import type { EventSchema } from './schema.ts'

/**
 * Adds an event to the search if everyone may see it, and removes it otherwise: the session has no viewer. It reads at
 * least the revision of the write that changed the event.
 */
export const updateSearch = async (
  graph: Graph<EventSchema>,
  search: EventSearch,
  id: string,
  minRevision: string | undefined,
): Promise<void> => {
  const anyone = graph.session({ app: 'search' })
  try {
    search.put(await graph.getNode(anyone, { id, type: 'event', fields: SEARCHED_FIELDS, minRevision }))
  } catch (error) {
    if (!isGraphError(error) || error.reason !== 'node_not_found') throw error
    search.remove(id)
  }
}
