/** Observes a graph: converts events to counters, in the text format that metrics collectors read. */
import { deepStrictEqual, match } from 'node:assert/strict'
import { createGraph, type GraphEvent } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'

const createMetrics = () => {
  const values = new Map<string, number>()
  const add = (name: string, value: number): void => {
    values.set(name, (values.get(name) ?? 0) + value)
  }
  return {
    record(event: GraphEvent): void {
      if (event.kind === 'read') {
        add(`graph_reads_total{method="${event.method}"}`, 1)
        add('graph_store_seconds_total', event.durationMs / 1000)
      } else if (event.kind === 'query') {
        add(`graph_queries_total{method="${event.method}",error="${event.reason ?? ''}"}`, 1)
        add('graph_query_seconds_total', event.durationMs / 1000)
      }
    },
    count: (name: string) => values.get(name) ?? 0,
    lines: () => [...values].sort().map(([name, value]) => `${name} ${value}`),
  }
}

const metrics = createMetrics()
await using graph = createGraph(createMemoryStore(), { onEvent: metrics.record })
await graph.load([
  { node: { id: '1', type: 'user', fields: { name: 'Radia' } } },
  { node: { id: '2', type: 'photo', fields: { name: 'A bridge' } } },
  { edge: { source: '1', name: 'photos', target: '2', time: '2026-02-01' } },
])
const token = await graph.tokens.issue({ viewer: '1', app: 'album', scopes: ['user_photos'] })
await graph.getMe(token, { fields: 'name,photos{name}' })
await graph.getNode(token, { id: '2' })
await graph.getNode(token, { id: '3' }).catch(() => {})

console.log(metrics.lines().join('\n'))
deepStrictEqual(
  [
    metrics.count('graph_reads_total{method="getMe"}'),
    metrics.count('graph_queries_total{method="getMe",error=""}'),
    metrics.count('graph_queries_total{method="getNode",error=""}'),
    metrics.count('graph_queries_total{method="getNode",error="node_not_found"}'),
  ],
  [3, 1, 1, 1],
)
match(metrics.lines().join('\n'), /^graph_store_seconds_total \d/m)
