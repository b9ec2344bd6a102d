import { createGraph } from 'kithgraph'
import type { EdgeRecord, Store } from '../../src/store/contract.ts'
import { deriveEntry, ROOT_ID } from '../../src/store/derived-entries.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { readDumpLines } from '../helpers/read-dump-lines.ts'
import type { CheckedEngine, CheckedStore } from './checked-stores.ts'
import { oldSchema, SECRET, schema } from './events-schema.ts'

export const EVENTS_SCHEMA = ['--schema', 'test/cli/events-schema.ts'] as const
export const COLLECT = ['collect', ...EVENTS_SCHEMA] as const
export const CHECK = ['check', 'store', ...EVENTS_SCHEMA] as const

export const createEventGraph = (store: Store) => createGraph(store, { schema, secret: SECRET })

/** Creates a graph of a process that does not know the collections and orders yet. */
export const createOldGraph = (store: Store) => createGraph(store, { schema: oldSchema })

const EVENTS_PER_BATCH = 50

const createOldEvent = (id: number) => {
  const [event, comment, person] = [`${id}`, `${1000 + id}`, `${2000 + id}`]
  const start_time = new Date(Date.UTC(2026, 0, 1 + ((id * 7) % 31))).toISOString()
  return [
    { op: 'putNode', node: { id: event, type: 'event', fields: { start_time } } },
    { op: 'putNode', node: { id: comment, type: 'comment', fields: {} } },
    { op: 'putNode', node: { id: person, type: 'person', fields: {} } },
    {
      op: 'putEdge',
      edge: { source: event, name: 'comments', target: comment, time: id, data: { score: id % 5 } },
    },
    {
      op: 'putEdge',
      edge: { source: event, name: 'guests', target: person, time: id, data: { joined: id * 11 } },
    },
  ] as const
}

/** Writes events 1 to `count`, each with a comment and a guest, without entries of collections and orders. */
export const writeOldEvents = async (store: CheckedStore, count: number): Promise<void> => {
  const graph = createOldGraph(store.createStore())
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  // Batches of some events, because each batch is written to disk.
  for (let start = 0; start < count; start += EVENTS_PER_BATCH)
    await graph.write(ids.slice(start, start + EVENTS_PER_BATCH).flatMap(createOldEvent))
}

const readList = async (store: Store, source: string, name: string): Promise<readonly EdgeRecord[]> => {
  const range = { source, name, direction: 'oldest', limit: 100_000, count: true } as const
  const bounds = { from: undefined, minTime: undefined, maxTime: undefined }
  const { ranges } = await store.read(
    { ...EMPTY_REQUEST, ranges: [{ ...range, ...bounds }] },
    UNTIMED_OPTIONS,
  )
  const entries = ranges[0]?.entries ?? []
  if (ranges[0]?.total !== entries.length) throw new Error(`the count of ${source} ${name} is wrong`)
  return entries.map(({ target, time, data }) => ({ source, name, target, time, data }))
}

/** Sorts entries as a store does. */
const sortEntries = (entries: readonly EdgeRecord[]): readonly EdgeRecord[] =>
  entries.toSorted((a, b) => a.time - b.time || Number(a.target) - Number(b.target))

/**
 * Returns the entries of all collections and orders: those that the store has, and those that its records give.
 * Nobody may write meanwhile.
 */
export const readEntries = async ({ createStore }: CheckedStore) => {
  const store = createStore()
  await store.open()
  const records = (await readDumpLines(store.dump())).map(line => JSON.parse(line))
  const nodes = records.flatMap(record => record.node ?? [])
  const edges = records.flatMap(record => record.edge ?? [])
  const stored: (readonly EdgeRecord[])[] = []
  const expected: (readonly EdgeRecord[])[] = []
  const add = async (source: string, name: string, derived: readonly (EdgeRecord | undefined)[]) => {
    const present = derived.flatMap(entry => entry ?? [])
    expected.push(sortEntries(present.map(entry => ({ ...entry, data: entry.data }))))
    stored.push(await readList(store, source, name))
  }
  const collect = (types: readonly string[], name: string, field: string | undefined) =>
    add(
      ROOT_ID,
      name,
      nodes
        .filter(({ type }) => types.includes(type))
        .map(({ id, fields }) =>
          deriveEntry(
            { source: ROOT_ID, name, target: id, by: field === undefined ? undefined : { field, factor: 1 } },
            { members: fields },
          ),
        ),
    )
  await collect(['event'], 'events', 'start_time')
  await collect(['event', 'person'], 'everyone', undefined)
  for (const { id, type } of nodes) {
    const order = {
      event: { list: 'comments', name: 'comments#top', by: { field: 'score', factor: 1 as const } },
      person: { list: 'attends', name: 'attends#latest', by: { field: 'joined', factor: 1000 as const } },
    }[type as string]
    if (order === undefined) continue
    const own = edges.filter(({ source, name }) => source === id && name === order.list)
    await add(
      id,
      order.name,
      own.map(edge =>
        deriveEntry(
          { source: id, name: order.name, target: edge.target, by: order.by },
          { members: edge.data ?? {}, time: edge.time },
        ),
      ),
    )
  }
  await store.close()
  return { stored, expected }
}

/** The last line of a check of a healthy store, whose 5 events have a comment and a guest each. */
export const HEALTHY = 'checked 15 nodes, 15 edges and 25 entries: no errors'
const HEALTHY_EVENTS = 5

/** Runs a function with a store of collected events. */
export const withCollectedEvents = async (
  engine: CheckedEngine,
  body: (store: CheckedStore) => Promise<void>,
): Promise<void> => {
  const store = await engine.create()
  try {
    await writeOldEvents(store, HEALTHY_EVENTS)
    await store.run(COLLECT)
    await body(store)
  } finally {
    await store.close()
  }
}

/** Whether a line of a check names damage. */
export const isAboutDamage = (line: string): boolean => !/^(?:checked|repair|note)/.test(line)

/** Returns the lines of a check that name damage, sorted. */
export const damageLines = async (store: CheckedStore): Promise<readonly string[]> =>
  (await store.run(CHECK)).lines.filter(isAboutDamage).sort()
