import {
  createGraph,
  defineFieldType,
  defineSchema,
  edge,
  field,
  type GraphEvent,
  type GraphOptions,
  isViewer,
  node,
} from 'kithgraph'
import {
  createUncheckedStore,
  type UncheckedEdge,
  type UncheckedNode,
} from '../../helpers/unchecked-store.ts'
import { callUntyped } from '../abuse/expect-graph-error.ts'

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
  { defaultPicture: '/none.svg' },
)

/** Opens a graph over unchecked records for the viewer `1`, and records the events of its calls. */
export const openItems = (
  nodes: readonly UncheckedNode[],
  edges: readonly UncheckedEdge[] = [],
  options: GraphOptions = {},
) => {
  const events: GraphEvent[] = []
  const store = createUncheckedStore(nodes, edges)
  const graph = createGraph(store, { ...options, schema, onEvent: event => void events.push(event) })
  const session = graph.session({ viewer: '1', app: 'tests' })
  const get = (fields: string, options = {}): Promise<unknown> =>
    callUntyped(graph.getNode, session, { id: '1', fields, ...options })
  const badValues = () => events.flatMap(event => (event.kind === 'query' ? event.badValues : []))
  return { graph, session, get, badValues, events }
}

export const createItem = (fields: unknown, id = '1'): UncheckedNode => ({ id, type: 'item', fields })

export const GOOD_SIZE = { url: '/a', width: 1, height: 1 }

export const BAD_VALUES: readonly (readonly [field: string, stored: unknown])[] = [
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

/** Returns the name of the stored field that a field shows. */
export const storedFieldOf = (name: string): string => (name === 'age' ? 'born' : name)
