import { createGraph, createStaticAuth, type GraphEvent, type Store } from 'kithgraph'
import { createActions } from './actions.ts'
import { eventRecords } from './data.ts'
import { createEventSearch, SEARCHED_FIELDS } from './event-search.ts'
import { PEOPLE } from './ids.ts'
import { createSchema } from './schema.ts'

/** The tokens of this demo. The last one has no viewer. A real service issues tokens when people sign in. */
const TOKENS = {
  'token-of-ada': { viewer: PEOPLE.ada, app: 'web' },
  'token-of-ben': { viewer: PEOPLE.ben, app: 'web' },
  'token-of-cleo': { viewer: PEOPLE.cleo, app: 'web' },
  'token-of-dov': { viewer: PEOPLE.dov, app: 'web' },
  'token-of-esme': { viewer: PEOPLE.esme, app: 'web' },
  'token-of-a-visitor': { app: 'web' },
}

/** The secret must be the same at each start: cursors are encrypted with it, and ids of new nodes depend on it. */
const SECRET = process.env.SECRET ?? 'for this demo alone, and no service'

/** Opens the graph on a store, and writes the sample data if the store is empty. */
export const openEvents = async (store: Store, onEvent?: (event: GraphEvent) => void) => {
  const search = createEventSearch()
  const schema = createSchema(search)
  const graph = createGraph(store, {
    schema,
    actions: createActions(schema, search),
    auth: createStaticAuth(TOKENS),
    secret: SECRET,
    onEvent,
  })
  const anyone = graph.session({ app: 'search' })
  const { data: venues } = await graph.getEdge(anyone, { id: 'root', edge: 'venues', limit: 1 })
  if (venues.length === 0) await graph.load(eventRecords())
  const events = graph.iterateEdge(anyone, { id: 'root', edge: 'events', fields: SEARCHED_FIELDS })
  for await (const event of events) search.put(event)
  return graph
}
