import Database from 'better-sqlite3'
import { Redis } from 'ioredis'
import { collection, createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { createPostgresStore } from 'kithgraph/postgres'
import { createRedisStore } from 'kithgraph/redis'
import { createSqliteStore } from 'kithgraph/sqlite'
import type { Store } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { startPostgres } from '../../test/helpers/postgres.ts'
import { HOST, hasRedisServer, startRedis } from '../../test/helpers/redis.ts'
import { fillStore } from '../contenders/graph.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import { type Clock, timePassed, workDone } from '../measure/work-done.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Row } from './row.ts'

const PAGE = 25
const COLLECTION_SIZE = 1_000_000
const LIST_SIZE = 10_000
const FIRST_EVENT = 1_000_000
const SOURCES = { plain: '1', ordered: '2' }

const score = { score: field.int({ required: true }), hits: field.int({ required: true }) }
const thing = node({
  fields: { name: field.string({ default: true }), at: field.datetime({ required: true }) },
})

const schema = defineSchema(
  {
    page: node({
      edges: {
        plain: edge('event', { fields: score }),
        ordered: edge('event', { fields: score, orders: { top: { by: 'score' }, hot: { by: 'hits' } } }),
      },
    }),
    event: thing,
    venue: thing,
  },
  { collections: { events: collection('event', { by: 'at' }), venues: collection('venue', { by: 'at' }) } },
)

/** Puts a node, and its entry in a collection, as a graph does. */
const putThing = (type: 'event' | 'venue', name: string, index: number): StoreMutation[] => {
  const id = `${type === 'event' ? FIRST_EVENT + index : 10 + index}`
  const fields = { name: `Thing ${index}`, at: index * 1000 }
  return [
    { op: 'putNode', node: { id, type, fields } },
    { op: 'deriveEntry', entry: { source: 'root', name, target: id, by: { field: 'at', factor: 1 } } },
  ]
}

function* generateThings(): Generator<StoreMutation> {
  for (let index = 0; index < PAGE; index++) yield* putThing('venue', 'venues', index)
  for (let index = 0; index < COLLECTION_SIZE; index++) yield* putThing('event', 'events', index)
}

/** Measures a page of a long and of a short collection. */
const measureCollections = async (name: string, store: Store, clock: Clock): Promise<Finding[]> => {
  const {
    getEdge,
    session: createSession,
    write,
  } = createGraph(store, { schema, secret: 'a secret of the bench' })
  const session = createSession({ app: 'bench' })
  // The first write of a graph into an empty store says that the collections are complete.
  const nodes = [SOURCES.plain, SOURCES.ordered].map(id => ({ id, type: 'page', fields: {} }) as const)
  await write(nodes.map(node => ({ op: 'putNode', node }) as const))
  await fillStore(store, generateThings())
  const reader = (edge: 'events' | 'venues', total: number) => async () => {
    const { data, summary } = await getEdge(session, { id: 'root', edge, summary: true })
    if (data.length !== PAGE || summary?.total_count !== total)
      throw new Error(`expected ${PAGE} of ${total}; received ${data.length} of ${summary?.total_count}`)
  }
  const long = { name: `${name}, collection of ${COLLECTION_SIZE}`, call: reader('events', COLLECTION_SIZE) }
  const short = { name: `${name}, collection of ${PAGE}`, call: reader('venues', PAGE) }
  return compare(long, [{ ...short, bar: { max: 1.5 } }], clock)
}

/** Measures a write that changes the keys of an edge in a long list, with two further orders and without. */
const measureOrders = async (name: string, store: Store, clock: Clock): Promise<Finding[]> => {
  const { write } = createGraph(store, { schema, secret: 'a secret of the bench' })
  const put = (edge: 'plain' | 'ordered', index: number, value: number) => {
    const target = `${FIRST_EVENT + (index % LIST_SIZE)}`
    const data = { score: value, hits: -value }
    return { op: 'putEdge', edge: { source: SOURCES[edge], name: edge, target, time: index, data } } as const
  }
  for (const edge of ['plain', 'ordered'] as const)
    for (let start = 0; start < LIST_SIZE; start += 500)
      await write(Array.from({ length: 500 }, (_, index) => put(edge, start + index, start + index)))
  const writer = (edge: 'plain' | 'ordered') => {
    let value = 0
    return async () => {
      // A step that visits all edges, each with a value that moves it.
      value += 7919
      await write([put(edge, value, (value * 31) % 1_000_003)])
    }
  }
  const ordered = { name: `${name}, putEdge with two orders`, call: writer('ordered') }
  const plain = { name: `${name}, putEdge without orders`, call: writer('plain') }
  return compare(ordered, [{ ...plain, bar: { max: 2.5 } }], clock)
}

const measureStore = async (name: string, store: Store, clock: Clock): Promise<readonly Finding[]> => {
  await store.open()
  return [...(await measureCollections(name, store, clock)), ...(await measureOrders(name, store, clock))]
}

const inSqlite = async (shutdown: Shutdown) => {
  const database = new Database('')
  shutdown.add(() => database.close())
  return measureStore('SQLite', createSqliteStore(database), workDone)
}

const inPostgres = async (shutdown: Shutdown) => {
  const server = await startPostgres()
  shutdown.add(() => server.stop())
  return measureStore('Postgres', createPostgresStore(server.pool()), timePassed)
}

const inRedis = async (shutdown: Shutdown) => {
  if (!hasRedisServer('the collections in Redis')) return []
  const server = await startRedis()
  shutdown.add(() => server.stop())
  const redis = new Redis({ host: HOST, port: server.port })
  shutdown.add(() => redis.disconnect())
  return measureStore('Redis', createRedisStore(redis), timePassed)
}

export const createEntriesRow = (shutdown: Shutdown): Row => ({
  name: 'stores-entries',
  title: `a page of a collection of ${COLLECTION_SIZE} nodes and of ${PAGE}, and a put of an edge in a list of ${LIST_SIZE} with two orders and without`,
  measure: async () => [
    ...(await measureStore('memory', createMemoryStore(), workDone)),
    ...(await inSqlite(shutdown)),
    ...(await inPostgres(shutdown)),
    ...(await inRedis(shutdown)),
  ],
})
