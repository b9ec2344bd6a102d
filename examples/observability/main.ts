/**
 * Handles requests to a graph that sends traces and metrics to OpenTelemetry:
 *
 *     npx tsx examples/observability/main.ts
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { SpanStatusCode } from '@opentelemetry/api'
import { createGraph, isViewer, socialSchema } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { recordEvents } from './record-events.ts'
import { startTelemetry } from './telemetry.ts'

const { tracer, meter, stop } = startTelemetry()
const schema = socialSchema.extend({ photo: { policy: [isViewer({ of: 'from' })] } })
const graph = createGraph(createMemoryStore(), { schema, onEvent: recordEvents(tracer, meter) })
await graph.load([
  { node: { id: '1', type: 'user', fields: { name: 'Radia' } } },
  { node: { id: '2', type: 'user', fields: { name: 'Elinor' } } },
  ...['1', '2'].flatMap(from => [
    { node: { id: `1${from}`, type: 'photo' as const, fields: { name: 'A bridge', from } } },
    { edge: { source: '1', name: 'photos' as const, target: `1${from}`, time: '2026-02-01' } },
  ]),
])
const token = await graph.tokens.issue({ viewer: '1', app: 'album', scopes: ['user_photos'] })
const handler = createHandler(graph)

/**
 * Handles a request in a span, as the instrumentation of a server does. The spans of the graph become
 * children of this span.
 */
const requestPath = (path: string): Promise<Response> =>
  tracer.startActiveSpan(`GET ${path.replace(/\?.*/, '')}`, async span => {
    const response = await handler(
      new Request(`https://api.example${path}`, { headers: { Authorization: `Bearer ${token}` } }),
    )
    span.setAttribute('http.response.status_code', response.status).end()
    return response
  })
await requestPath('/v1.0/me?fields=name,photos{name}')
await requestPath('/v1.0/3')
await graph.close()

const { spans, metrics } = await stop()
const requests = spans.filter(({ name }) => name.startsWith('GET'))
const traces = requests.map(request => [
  request.name,
  ...spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === request.spanContext().spanId)
    .map(({ name, status }) => (status.code === SpanStatusCode.ERROR ? `${name}: ${status.message}` : name)),
])
for (const [request, ...inside] of traces) console.log(`${request}\n  ${inside.join('\n  ')}`)
const readSpan = 'graph.read'
deepStrictEqual(traces, [
  ['GET /v1.0/me', readSpan, readSpan, readSpan, 'graph.getMe'],
  ['GET /v1.0/3', readSpan, 'graph.getNode: node_not_found'],
])

for (const { descriptor, dataPoints } of metrics) {
  for (const { attributes, value } of dataPoints) {
    const figure = typeof value === 'number' ? value : `${value.count} times`
    console.log(`${descriptor.name} ${JSON.stringify(attributes)} ${figure}`)
  }
}
const findPoint = (name: string) =>
  metrics.find(({ descriptor }) => descriptor.name === name)?.dataPoints.map(({ attributes }) => attributes)
deepStrictEqual(findPoint('graph.errors'), [{ method: 'getNode', reason: 'node_not_found' }])
deepStrictEqual(findPoint('graph.denials'), [{ rule: 'no rule' }])
strictEqual(findPoint('graph.query.duration')?.length, 2)
