import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'

const score = { score: field.int({ required: true }), hits: field.int({ required: true }) }
const schema = defineSchema({
  page: node({
    edges: {
      plain: edge('event', { fields: score }),
      ordered: edge('event', { fields: score, orders: { top: { by: 'score' }, hot: { by: 'hits' } } }),
    },
  }),
  event: node({}),
})
const graph = createGraph(createMemoryStore(), { schema })
const N = 10000
await graph.write([
  { op: 'putNode', node: { id: '1', type: 'page', fields: {} } },
  { op: 'putNode', node: { id: '2', type: 'page', fields: {} } },
])
for (let i = 0; i < N; i += 500)
  await graph.write(
    Array.from(
      { length: 500 },
      (_, k) => ({ op: 'putNode', node: { id: `${1000 + i + k}`, type: 'event', fields: {} } }) as const,
    ),
  )
const put = (name: 'plain' | 'ordered', i: number, v: number) =>
  ({
    op: 'putEdge',
    edge: {
      source: name === 'plain' ? '1' : '2',
      name,
      target: `${1000 + (i % N)}`,
      time: i,
      data: { score: v, hits: -v },
    },
  }) as const
for (const n of ['plain', 'ordered'] as const)
  for (let i = 0; i < N; i += 500)
    await graph.write(Array.from({ length: 500 }, (_, k) => put(n, i + k, i + k)))
const run = async (n: 'plain' | 'ordered', reps: number) => {
  let v = 0
  const t = process.cpuUsage()
  for (let i = 0; i < reps; i++) {
    v += 7919
    await graph.write([put(n, v, (v * 31) % 1000003)])
  }
  const u = process.cpuUsage(t)
  return (u.user + u.system) / reps
}
for (let r = 0; r < 6; r++)
  console.log(
    'plain',
    (await run('plain', 20000)).toFixed(2),
    'ordered',
    (await run('ordered', 20000)).toFixed(2),
  )
