/**
 * Prints how many files of `src` one call runs: the files in which the call executes at least one function.
 * Measures each call on a new graph over a filled store (cold), and again on the same graph (warm). With the
 * name of a call as argument, the script also lists the files of this call.
 *
 *     npx tsx scripts/count-files.ts [getMe | getEdge | write | "write to Redis"]
 */
import { Session } from 'node:inspector/promises'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGraph, type Graph, type SocialSchema, type Store } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { createRedisStore } from 'kithgraph/redis'
import { startRedis } from '../test/helpers/redis.ts'

const SRC = resolve(import.meta.dirname, '../src')
const SECRET = 'the secret of the measured graphs'

/** The files that one call runs, as paths in `src`. */
type RunFiles = readonly string[]

const session = new Session()
session.connect()
await session.post('Profiler.enable')

/** Runs a call, and returns the files in which it called at least one function. */
const countFiles = async (call: () => Promise<unknown>): Promise<RunFiles> => {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await call()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith('file:'))
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .map(({ url }) => relative(SRC, fileURLToPath(url)))
    .filter(path => !path.startsWith('..'))
    .toSorted()
}

/** Fills a store with two people, and returns a token of one of them. */
const fill = async (store: Store): Promise<string> => {
  const graph = createGraph(store, { secret: SECRET })
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: '2', type: 'user', fields: { name: 'Grace' } } },
    { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', time: 0 } },
  ])
  return graph.tokens.issue({ viewer: '1', app: 'demo', scopes: ['user_friends'] })
}

type Call = (graph: Graph<SocialSchema>, token: string) => Promise<unknown>

const write: Call = graph =>
  graph.write([{ op: 'putNode', node: { id: '3', type: 'user', fields: { name: 'Edsger' } } }])

const redis = await startRedis()
const MEASURED: { readonly [name: string]: { readonly store: Store; readonly call: Call } } = {
  getMe: { store: createMemoryStore(), call: (graph, token) => graph.getMe(token, { fields: 'name' }) },
  getEdge: {
    store: createMemoryStore(),
    call: (graph, token) => graph.getEdge(token, { id: '1', edge: 'friends', fields: 'name' }),
  },
  write: { store: createMemoryStore(), call: write },
  'write to Redis': { store: createRedisStore(redis.admin), call: write },
}

const [listed] = process.argv.slice(2)
for (const [name, { store, call }] of Object.entries(MEASURED)) {
  const token = await fill(store)
  const graph = createGraph(store, { secret: SECRET })
  const cold = await countFiles(() => call(graph, token))
  const warm = await countFiles(() => call(graph, token))
  console.log(`${name}: ${cold.length} files cold, ${warm.length} warm`)
  if (name !== listed) continue
  for (const file of cold) console.log(`  ${warm.includes(file) ? 'warm' : 'cold'} ${file}`)
}
await redis.stop()
