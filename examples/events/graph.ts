import { createGraph, createStaticAuth, type GraphEvent, isGraphError, type Store } from 'kithgraph'
import { eventRecords } from './data.ts'
import { createEventSearch, type EventSearch, SEARCHED_FIELDS } from './event-search.ts'
import { PEOPLE } from './ids.ts'
import { createSchema, type EventGraph } from './schema.ts'

/** The tokens of this demo. The last one has no viewer. A real service issues tokens when people sign in. */
const TOKENS = {
  'token-of-ada': { viewer: PEOPLE.ada, app: 'web' },
  'token-of-ben': { viewer: PEOPLE.ben, app: 'web' },
  'token-of-cleo': { viewer: PEOPLE.cleo, app: 'web' },
  'token-of-dov': { viewer: PEOPLE.dov, app: 'web' },
  'token-of-esme': { viewer: PEOPLE.esme, app: 'web' },
  'token-of-a-visitor': { app: 'web' },
}

/** The secret must be the same at each start: cursors are encrypted with it. */
const SECRET = process.env.SECRET ?? 'for this demo alone, and no service'

/** Adds an event to the search if everyone may see it, and removes it otherwise: the session has no viewer. */
export const updateSearch = async (graph: EventGraph, search: EventSearch, id: string): Promise<void> => {
  const anyone = graph.session({ app: 'search' })
  try {
    search.put(await graph.getNode(anyone, { id, type: 'event', fields: SEARCHED_FIELDS }))
  } catch (error) {
    if (!isGraphError(error) || error.reason !== 'node_not_found') throw error
    search.remove(id)
  }
}

/** Opens the graph on a store, and writes the sample data if the store is empty. */
export const openEvents = async (store: Store, onEvent?: (event: GraphEvent) => void) => {
  const search = createEventSearch()
  const graph: EventGraph = createGraph(store, {
    schema: createSchema(search),
    auth: createStaticAuth(TOKENS),
    secret: SECRET,
    onEvent,
  })
  const anyone = graph.session({ app: 'search' })
  const { data: venues } = await graph.getEdge(anyone, { id: 'root', edge: 'venues', limit: 1 })
  if (venues.length === 0) await graph.load(eventRecords())
  const events = graph.iterateEdge(anyone, { id: 'root', edge: 'events', fields: SEARCHED_FIELDS })
  for await (const event of events) search.put(event)
  return { graph, search }
}
