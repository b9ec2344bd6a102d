import fc, { type Arbitrary } from 'fast-check'
import { collection, createGraph, defineSchema, edge, field, isGraphError, node, parameter } from 'kithgraph'
import { update, updateEdge } from 'kithgraph/update'
import type { IdKind } from '../../src/base/ids.ts'
import type { Store } from '../../src/store/contract.ts'
import { idOf } from './id-kinds.ts'

const loud = { loud: parameter.bool() }

/** The types of a schema with collections by each kind of field, and with different orders on both sides of an edge. */
const types = {
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
}

const options = {
  collections: {
    everything: collection(['person', 'event']),
    counted: collection(['person', 'event'], { by: 'count' }),
    people: collection('person', { by: 'made', order: 'chronological' }),
    events: collection('event', { by: 'seen' }),
  },
}

const SCHEMAS = {
  digits: defineSchema(types, options),
  named: defineSchema(types, { ...options, ids: 'named' }),
}

const PEOPLE = ['1', '9', '10']
const EVENTS = ['20', '21']
const IDS = [...PEOPLE, ...EVENTS]

const changeId = (kind: IdKind, id: string): string =>
  idOf(kind, EVENTS.includes(id) ? 'event' : 'person', id)

/** Returns the ids of all nodes of a history. */
export const historyIdsOf = (kind: IdKind): readonly string[] => IDS.map(id => changeId(kind, id))

/** Opens a graph with collections and orders. */
export const openDerivedGraph = (kind: IdKind, store: Store) =>
  createGraph(store, { schema: SCHEMAS[kind], secret: 'the secret of the tests' })

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

/** Returns a history of digits with ids of a kind. */
export const withHistoryIds = (kind: IdKind, history: readonly HistoryWrite[]): readonly HistoryWrite[] =>
  JSON.parse(JSON.stringify(history), (name, value) =>
    ['id', 'source', 'target'].includes(name) ? changeId(kind, value) : value,
  )

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
