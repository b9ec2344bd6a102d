/**
 * Runs a service where people share photos with everyone, with friends, or with nobody:
 *
 *     npx tsx examples/photo-service/main.ts ./photos.db
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { stopOnSignal } from '../shared/stop-on-signal.ts'
import { createApp } from './app.ts'
import { openGraph } from './graph.ts'

const [path = ':memory:'] = process.argv.slice(2)
const graph = await openGraph(path)
const server = createApp(graph).listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
await once(server, 'listening')
stopOnSignal(server, graph)
const { port } = server.address() as AddressInfo
console.log(`Photos are shared at http://127.0.0.1:${port}. Ctrl-C stops.`)
