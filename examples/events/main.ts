/**
 * Serves events, venues, people and groups over HTTP, and prints three requests to try:
 *
 *     npx tsx examples/events/main.ts
 *     npx tsx examples/events/main.ts sqlite:./events.db
 *     npx tsx examples/events/main.ts postgres://user:password@host/database
 */
import { openStore } from '../shared/open-store.ts'
import { stopOnSignal } from '../shared/stop-on-signal.ts'
import { startService } from './service.ts'

const [storeUrl = 'memory:'] = process.argv.slice(2)
const store = await openStore(storeUrl, 'events')
const { graph, server, url } = await startService(store, Number(process.env.PORT ?? 4000))
stopOnSignal(server, graph)

const as = (name: string): string => `-H 'Authorization: Bearer token-of-${name}'`
console.log(`\
Open ${url}/ in a browser for the feed of the groups.

The graph is at ${url}/graph. Try these requests in another terminal:

curl -g ${as('ada')} '${url}/graph/root/events?since=2026-06-01&limit=3&fields=title,start_time,venue{name}&pretty=1'
curl -g ${as('ben')} '${url}/graph/me/events?state=going&fields=title,state&summary=true&pretty=1'
curl -g -X POST ${as('ada')} '${url}/graph/104/attendees?fields=title,viewer_reply&pretty=1' -d state=going

Ctrl-C stops.`)
