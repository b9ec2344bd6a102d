import {
  createGraph,
  defineFieldType,
  defineSchema,
  edge,
  field,
  type GraphOptions,
  isViewer,
  node,
  type ReadEvent,
} from 'kithgraph'
import { createRawStore, type RawEdge, type RawNode } from '../../helpers/raw-store.ts'
import { loosely } from '../abuse/fault-of.ts'

const even = defineFieldType({
  name: 'even',
  expected: 'an even number',
  parse: (value: number) => (value % 2 === 0 ? value : undefined),
  serialize: stored => (stored === 0 ? undefined : { half: stored / 2 }),
})

export const schema = defineSchema(
  {
    item: node({
      fields: {
        title: field.string({ required: true }),
        size: field.int(),
        born: field.birthday(),
        age: field.ageRange({ from: 'born' }),
        made: field.datetime(),
        at: field.unixtime(),
        color: field.enum(['red', 'green']),
        link: field.url(),
        picture: field.picture(),
        even: field.of(even),
        tags: field.list(field.string()),
        counts: field.map(field.int()),
        frame: field.object({ width: field.int({ required: true }), color: field.string() }),
        frames: field.list(field.object({ width: field.int({ required: true }), color: field.string() })),
        owner: field.ref('item'),
        secret: field.int({ scope: 'secrets' }),
        own: field.int({ policy: [isViewer()] }),
        viewer_keeps: field.viewerEdge('keeps'),
      },
      edges: {
        keeps: edge('item', { fields: { since: field.edgeTime(), rank: field.int(), note: field.string() } }),
      },
    }),
  },
  { silhouette: '/none.svg' },
)

/** A graph over raw records, seen by the node `1`, with the events of its calls. */
export const open = (
  nodes: readonly RawNode[],
  edges: readonly RawEdge[] = [],
  options: GraphOptions = {},
) => {
  const events: ReadEvent[] = []
  const store = createRawStore(nodes, edges)
  const graph = createGraph(store, { ...options, schema, onRead: event => void events.push(event) })
  const session = graph.session({ viewer: '1', app: 'tests' })
  const get = (fields: string, more = {}): Promise<unknown> =>
    loosely(graph.getNode, session, { id: '1', fields, ...more })
  const badValues = () => events.flatMap(event => (event.kind === 'query' ? event.badValues : []))
  return { graph, session, get, badValues, events }
}

export const itemOf = (fields: unknown, id = '1'): RawNode => ({ id, type: 'item', fields })

export const GOOD_SIZE = { url: '/a', width: 1, height: 1 }

export const BAD: readonly (readonly [field: string, stored: unknown])[] = [
  ['title', 5],
  ['title', '\ud83d'],
  ['title', { text: 'x' }],
  ['size', '5'],
  ['size', 2 ** 53],
  ['size', 1.5],
  ['size', [1]],
  ['born', '12/10/1990'],
  ['born', { date: '1990-02-30', show: 'full' }],
  ['age', { date: '1990-12-10', show: 'month' }],
  ['made', '2020-01-01T00:00:00Z'],
  ['made', 0.5],
  ['at', 0.5],
  ['at', 1e13],
  ['color', 'blue'],
  ['color', 0],
  ['link', 'no url'],
  ['picture', '/a'],
  ['picture', [GOOD_SIZE, { ...GOOD_SIZE, width: '1' }]],
  ['even', 3],
  ['even', '3'],
  ['tags', 'a'],
  ['tags', ['a', 1]],
  ['tags', ['a', null]],
  ['counts', { a: 1, b: '2' }],
  ['counts', [1]],
  ['frame', { color: 'red' }],
  ['frame', { width: 1, color: 5 }],
  ['frames', [{ width: 1 }, { width: '2' }]],
  ['owner', 2],
  ['owner', 'two'],
  ['owner', ['2']],
]

/** The field whose stored value another shows. */
export const storedAs = (name: string): string => (name === 'age' ? 'born' : name)
