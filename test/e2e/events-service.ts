import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'kithgraph/client'
import type { EventSchema } from '../../examples/events/schema.ts'
import { startService } from '../../examples/events/service.ts'
import { openStore } from '../../examples/shared/open-store.ts'

/** A person of the sample data who has a token, or a visitor without a viewer. */
export type Caller = 'ada' | 'ben' | 'cleo' | 'dov' | 'esme' | 'a-visitor'

export const tokenOf = (caller: Caller): string => `token-of-${caller}`

/** The stores that the tests use. */
export const STORES = ['memory', 'sqlite'] as const

/** Starts the service of the example `events` on a free port, with the sample data in a new store. */
export const startEvents = async (kind: (typeof STORES)[number]) => {
  const folder = await mkdtemp(join(tmpdir(), 'kithgraph-'))
  const storeUrl = kind === 'memory' ? 'memory:' : `sqlite:${join(folder, 'events.db')}`
  const { graph, server, url } = await startService(await openStore(storeUrl, 'events'), 0)

  /** Sends a request, and returns its status and the value of its JSON body. */
  const send = async (caller: Caller, method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${tokenOf(caller)}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  return {
    graph,
    url,
    send,
    /** Reads a path below `/graph`. */
    read: async (caller: Caller, path: string) => (await send(caller, 'GET', `/graph${path}`)).body,
    /** Reads with the typed client, also over HTTP. */
    client: createClient<EventSchema>(`${url}/graph`),
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await graph.close()
      await rm(folder, { recursive: true })
    },
  }
}

export type EventsService = Awaited<ReturnType<typeof startEvents>>
