import type { Store } from 'kithgraph'
import { createClient } from 'kithgraph/client'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { EventActions } from '../../examples/events/actions.ts'
import type { EventSchema } from '../../examples/events/schema.ts'
import { startService } from '../../examples/events/service.ts'
import { openStore } from '../../examples/shared/open-store.ts'
import { availableStoreServers, type StoreServer } from '../helpers/store-servers.ts'

/** A person of the sample data who has a token, or a visitor without a viewer. */
export type Caller = 'ada' | 'ben' | 'cleo' | 'dov' | 'esme' | 'a-visitor'

export const tokenOf = (caller: Caller): string => `token-of-${caller}`

/** The values of parameters, and the option `fields`. */
export type Values = { readonly [name: string]: unknown }

const startMemory = async (): Promise<StoreServer> => ({ url: 'memory:', stop: async () => {} })

/** The stores that the tests use. All data in memory belongs to one service. */
export const STORES = [
  { name: 'memory', start: startMemory },
  ...availableStoreServers('the example events', { every: false }).filter(({ name }) => name !== 'Redis'),
]

/** Opens a new store, which is empty: another file or another schema of the database. */
const openNewStore = (url: string) => {
  const id = crypto.randomUUID()
  return openStore(url.replace(/graph\.db$/, `${id}.db`), `events_${id.slice(0, 8)}`)
}

/**
 * Starts the service of the example `events` on a free port, with the sample data in a new store, which `adapt` may
 * change.
 */
export const startEvents = async (storeUrl = 'memory:', adapt = (store: Store): Store => store) => {
  const { graph, server, url } = await startService(adapt(await openNewStore(storeUrl)), 0)

  /** Sends a request, and returns its status and the value of its JSON body. */
  const send = async (caller: Caller, method: string, path: string, body?: Values, key?: string) => {
    const response = await fetch(`${url}/graph${path}`, {
      method,
      headers: {
        authorization: `Bearer ${tokenOf(caller)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  return {
    graph,
    url,
    send,
    /** Calls an action. */
    post: (caller: Caller, path: string, values: Values = {}, key?: string) =>
      send(caller, 'POST', path, values, key),
    read: async (caller: Caller, path: string) => (await send(caller, 'GET', path)).body,
    /** The typed client, also over HTTP. */
    client: createClient<EventSchema, EventActions>(`${url}/graph`),
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await graph.close()
    },
  }
}

export type EventsService = Awaited<ReturnType<typeof startEvents>>

/**
 * Starts a store for the tests of a suite, and a service with a new store in it for each test, which `use` receives.
 * Stops them afterwards.
 */
export const useEvents = (
  use: (service: EventsService) => void,
  start = startMemory,
  adapt?: (store: Store) => Store,
): void => {
  let server: StoreServer
  let service: EventsService
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    service = await startEvents(server.url, adapt)
    use(service)
  })
  afterEach(() => service.stop())
}
