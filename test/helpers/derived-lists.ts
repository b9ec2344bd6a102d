import fc, { type Arbitrary } from 'fast-check'
import { collection, createGraph, defineSchema, edge, field, isGraphError, node, parameter } from 'kithgraph'
import { update, updateEdge } from 'kithgraph/update'
import { expect } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import type { EdgeRecord, NodeRecord, Store } from '../../src/store/contract.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { createRange } from '../../src/testing/records.ts'
import { type Dump, readDumpLines } from './read-dump-lines.ts'

const loud = { loud: parameter.bool() }

/** A schema with collections by each kind of field, and with different orders on both sides of an edge. */
const schema = defineSchema(
  {
    person: node({
      fields: { count: field.int({ required: true }), made: field.datetime({ required: true }) },
      edges: {
        friends: edge('person', {
          symmetric: true,
          fields: { rank: field.int({ required: true }) },
          orders: { top: { by: 'rank' } },
        }),
        likes: edge('event', {
          inverse: 'likers',
          fields: { rank: field.int({ required: true }), stamp: field.unixtime({ required: true }) },
          orders: { top: { by: 'rank' }, late: { by: 'stamp', direction: 'ascending' } },
          parameters: loud,
          list: ({ loud }) => (loud ? 'likes_loud' : 'likes'),
        }),
      },
    }),
    event: node({
      fields: { count: field.int({ required: true }), seen: field.unixtime({ required: true }) },
      edges: {
        likers: edge('person', {
          inverse: 'likes',
          fields: { at: field.datetime({ required: true }) },
          orders: { soon: { by: 'at' } },
          parameters: loud,
          list: ({ loud }) => (loud ? 'likers_loud' : 'likers'),
        }),
      },
    }),
  },
  {
    collections: {
      everything: collection(['person', 'event']),
      counted: collection(['person', 'event'], { by: 'count' }),
      people: collection('person', { by: 'made', order: 'chronological' }),
      events: collection('event', { by: 'seen' }),
    },
  },
)

type KeyOf = (members: JsonObject) => number

const byNumber =
  (name: string, factor = 1): KeyOf =>
  members =>
    Number(members[name]) * factor

/** The collections: their types, and the time of an entry. */
const COLLECTIONS: { readonly [name: string]: readonly [types: readonly string[], keyOf: KeyOf] } = {
  everything: [['person', 'event'], () => 0],
  counted: [['person', 'event'], byNumber('count')],
  people: [['person'], byNumber('made')],
  events: [['event'], byNumber('seen', 1000)],
}

/** The orders of each stored list, and the time of an entry. */
const ORDERS: { readonly [list: string]: { readonly [order: string]: KeyOf } } = {
  friends: { top: byNumber('rank') },
  likes: { top: byNumber('rank'), late: byNumber('stamp', 1000) },
  likes_loud: { top: byNumber('rank'), late: byNumber('stamp', 1000) },
  likers: { soon: byNumber('at') },
  likers_loud: { soon: byNumber('at') },
}

const PEOPLE = ['1', '9', '10']
const EVENTS = ['20', '21']
const IDS = [...PEOPLE, ...EVENTS]

export type DumpedStore = Store & { dump(): Dump }

/** Opens a graph with collections and orders. */
export const openDerivedGraph = (store: DumpedStore) =>
  createGraph(store, { schema, secret: 'the secret of the tests' })

type DerivedGraph = ReturnType<typeof openDerivedGraph>
type Mutations = Parameters<DerivedGraph['write']>[0]
type GraphMutation = Mutations[number]

/** A write of a history: a batch of mutations, or the values that a recipe sets. */
type HistoryWrite =
  | { readonly op: 'write'; readonly batch: Mutations }
  | { readonly op: 'update'; readonly id: string; readonly count: number; readonly made: number }
  | { readonly op: 'updateEdge'; readonly source: string; readonly target: string; readonly rank: number }

const count = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -2, max: 2 }) },
  fc.constantFrom(8.64e15, -8.64e15, 8.64e15 + 2),
)
const time = fc.constantFrom(0, 1000, 1500, -1)
const seconds = fc.constantFrom(0, 1, -1, 5)
const personId = fc.constantFrom(...PEOPLE)
const eventId = fc.constantFrom(...EVENTS)
const isLoud = fc.constantFrom(undefined, undefined, true)

const nodeMutations: Arbitrary<GraphMutation> = fc.oneof(
  fc
    .record({ id: personId, count, made: time })
    .map(({ id, ...fields }): GraphMutation => ({ op: 'putNode', node: { id, type: 'person', fields } })),
  fc
    .record({ id: eventId, count, seen: seconds })
    .map(({ id, ...fields }): GraphMutation => ({ op: 'putNode', node: { id, type: 'event', fields } })),
  fc
    .record({ id: personId, made: time })
    .map(({ id, made }): GraphMutation => ({ op: 'patchNode', id, fields: { made } })),
  fc
    .tuple(fc.constantFrom(...IDS), count)
    .map(([id, count]): GraphMutation => ({ op: 'patchNode', id, increment: { count } })),
  fc.constantFrom(...IDS).map((id): GraphMutation => ({ op: 'deleteNode', id })),
)

const edgeMutations: Arbitrary<GraphMutation> = fc.oneof(
  fc.record({ source: personId, target: personId, time, rank: count }).map(
    ({ rank, ...ends }): GraphMutation => ({
      op: 'putEdge',
      edge: { ...ends, name: 'friends', data: { rank } },
    }),
  ),
  fc
    .record({ person: personId, event: eventId, time, loud: isLoud, isMirror: fc.boolean() })
    .chain(({ person, event, time, loud, isMirror }) =>
      fc
        .record({ rank: count, stamp: seconds, at: fc.constantFrom(0, 1500, -1) })
        .map((data): GraphMutation => {
          const parameters = loud === undefined ? {} : { loud }
          const shared = { time, parameters }
          // The data has the fields of both sides, which the types of a mutation do not know.
          const edge = isMirror
            ? { ...shared, source: event, name: 'likers', target: person, data }
            : { ...shared, source: person, name: 'likes', target: event, data }
          return Object({ op: 'putEdge', edge })
        }),
    ),
  fc.tuple(personId, fc.oneof(personId, eventId), isLoud).map(([source, target, loud]): GraphMutation => {
    const isFriend = PEOPLE.includes(target)
    const parameters = isFriend || loud === undefined ? {} : { parameters: { loud } }
    const edge = { source, name: isFriend ? 'friends' : 'likes', target, ...parameters }
    return Object({ op: 'deleteEdge', edge })
  }),
)

const mutation = fc.oneof({ weight: 3, arbitrary: nodeMutations }, { weight: 4, arbitrary: edgeMutations })

const write: Arbitrary<HistoryWrite> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(mutation, { minLength: 1, maxLength: 3 })
      .map((batch): HistoryWrite => ({ op: 'write', batch })),
  },
  fc.record({ op: fc.constant('update'), id: personId, count, made: time }),
  fc.record({ op: fc.constant('updateEdge'), source: personId, target: personId, rank: count }),
)

/** Writes of all people and events, so that histories have edges early. */
const firstNodes: Mutations = [
  ...PEOPLE.map(
    (id): GraphMutation => ({ op: 'putNode', node: { id, type: 'person', fields: { count: 0, made: 0 } } }),
  ),
  ...EVENTS.map(
    (id): GraphMutation => ({ op: 'putNode', node: { id, type: 'event', fields: { count: 1, seen: 1 } } }),
  ),
]

/** Any history of writes. Some of them are not valid, and change nothing. */
export const histories: Arbitrary<readonly HistoryWrite[]> = fc
  .array(write, { maxLength: 14, size: 'max' })
  .map(writes => [{ op: 'write', batch: firstNodes }, ...writes])

const execute = (graph: DerivedGraph, write: HistoryWrite): Promise<unknown> => {
  switch (write.op) {
    case 'write':
      return graph.write(write.batch)
    case 'update':
      return update(graph, { type: 'person', id: write.id }, draft => {
        draft.count = write.count
        draft.made = write.made
      })
    case 'updateEdge':
      return updateEdge(graph, { source: write.source, name: 'friends', target: write.target }, draft => {
        draft.rank = write.rank
      })
  }
}

/** Executes a history. */
export const writeHistory = async (graph: DerivedGraph, history: readonly HistoryWrite[]): Promise<void> => {
  for (const write of history)
    await execute(graph, write).catch((error: unknown) => {
      if (!isGraphError(error) || error.reason !== 'invalid_mutation') throw error
    })
}

type Entry = { readonly time: number; readonly target: string; readonly data?: JsonObject | undefined }
type Lists = { readonly [list: string]: { readonly total: number; readonly entries: readonly Entry[] } }

const compareEntries = (a: Entry, b: Entry): number =>
  a.time - b.time || (BigInt(a.target) < BigInt(b.target) ? -1 : 1)

/** Computes all collections and orders from the nodes and edges of a dump. */
const computeLists = async (dump: Dump): Promise<Lists> => {
  const records: readonly { readonly node?: NodeRecord; readonly edge?: EdgeRecord }[] = (
    await readDumpLines(dump)
  ).map(line => JSON.parse(line))
  const nodes = records.flatMap(({ node }) => node ?? [])
  const edges = records.flatMap(({ edge }) => edge ?? [])
  const collections = Object.entries(COLLECTIONS).map(([name, [types, keyOf]]) => {
    const entries = nodes
      .filter(({ type }) => types.includes(type))
      .map(({ id, fields }): Entry => ({ time: keyOf(fields), target: id, data: undefined }))
    return [`root ${name}`, entries] as const
  })
  const orders = IDS.flatMap(id =>
    Object.entries(ORDERS).flatMap(([list, keysByOrder]) =>
      Object.entries(keysByOrder).map(([order, keyOf]) => {
        const entries = edges
          .filter(({ source, name }) => source === id && name === list)
          .map(
            ({ target, time, data = {} }): Entry => ({
              time: keyOf(data),
              target,
              data: { ...data, '#time': time },
            }),
          )
        return [`${id} ${list}#${order}`, entries] as const
      }),
    ),
  )
  return Object.fromEntries(
    [...collections, ...orders].map(([list, entries]) => [
      list,
      { total: entries.length, entries: entries.toSorted(compareEntries) },
    ]),
  )
}

/** Reads all collections and orders of a store. */
const readLists = async (store: Store): Promise<Lists> => {
  const names = [
    ...Object.keys(COLLECTIONS).map(name => ['root', name] as const),
    ...IDS.flatMap(id =>
      Object.entries(ORDERS).flatMap(([list, orders]) =>
        Object.keys(orders).map(order => [id, `${list}#${order}`] as const),
      ),
    ),
  ]
  const ranges = names.map(([source, name]) => createRange(source, name, { limit: 100, count: true }))
  const result = await store.read(
    { ...EMPTY_REQUEST, ranges },
    { signal: undefined, deadline: undefined, minRevision: 'newest' },
  )
  return Object.fromEntries(
    names.map(([source, name], index) => {
      const { entries = [], total = 0 } = result.ranges[index] ?? {}
      return [
        `${source} ${name}`,
        { total, entries: entries.map(({ time, target, data }) => ({ time, target, data })) },
      ]
    }),
  )
}

/** Expects that the collections and orders of a store are equal to its nodes and edges. Returns their size. */
export const expectDerivedLists = async (store: DumpedStore): Promise<number> => {
  const stored = await readLists(store)
  expect(stored).toEqual(await computeLists(store.dump()))
  return Object.values(stored).reduce((sum, { total }) => sum + total, 0)
}
