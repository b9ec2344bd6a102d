import { collection, createGraph, defineSchema, edge, field, node, parameter } from 'kithgraph'
import { ActionError, actionsOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import { createDemo } from '../../examples/demo/graph.ts'

const schema = defineSchema(
  {
    person: node({ fields: { name: field.string({ default: true, required: true }) } }),
    event: node({
      fields: {
        title: field.string({ default: true, required: true }),
        start_time: field.datetime({ default: true, required: true }),
        kind: field.string(),
        seats: field.int(),
      },
      edges: { hosts: edge('person') },
    }),
  },
  {
    viewers: ['person'],
    collections: { people: collection('person'), events: collection('event', { by: 'start_time' }) },
  },
)
const action = actionsOf(schema)
const placeMembers = {
  city: parameter.string({ required: true, maxLength: 20 }),
  floor: parameter.int({ min: 0, nullable: true }),
}

const actions = [
  action('root', 'events.add', {
    description: 'Creates an event.',
    policy: 'anyone',
    returns: 'event',
    parameters: {
      title: parameter.string({ required: true, maxLength: 80 }),
      start_time: parameter.datetime({ required: true }),
      end_time: parameter.datetime(),
      kind: parameter.enum(['open', 'closed'], { default: 'open' }),
      seats: parameter.int({ min: 1, max: 500 }),
      online: parameter.bool(),
      hosts: parameter.list(parameter.node('person'), { maxItems: 2 }),
      place: parameter.object(placeMembers),
    },
    run: async ({ parameters: { title, start_time, kind, seats, hosts = [] }, newId, write }) => {
      const id = newId('event')
      const { revision } = await write([
        { op: 'putNode', node: { id, type: 'event', fields: { title, start_time, kind, seats } } },
        ...hosts.map(
          host => ({ op: 'putEdge', edge: { source: id, name: 'hosts', target: host.id } }) as const,
        ),
      ])
      return { id, revision }
    },
  }),
  action('event', 'remind', { policy: 'anyone', idempotent: false, run: () => {} }),
  action('event', 'book', {
    policy: 'anyone',
    parameters: { name: parameter.string({ required: true }) },
    run: ({ parameters: { name } }) => {
      throw new ActionError('full', { message: 'The event is full.', data: { seats: 0, name } })
    },
  }),
]

/** Creates a graph of events, with an action for values of all kinds, and a token of a person. */
export const createEventWorld = async () => {
  const graph = createGraph(createMemoryStore(), { schema, actions })
  await graph.write([
    ...Array.from({ length: 30 }, (_, index) => {
      const fields = { name: `Person ${index + 1}` }
      return { op: 'putNode', node: { id: `${index + 1}`, type: 'person', fields } } as const
    }),
    {
      op: 'putNode',
      node: { id: '100', type: 'event', fields: { title: 'Chess', start_time: '2030-01-01T18:00:00Z' } },
    },
  ])
  const token = await graph.tokens.issue({ viewer: '1', app: 'demo' })
  return { graph, token, hasCollections: true }
}

/** Creates the demo, with a token that may run its actions. */
export const createWritableDemo = async () => {
  const demo = await createDemo(createMemoryStore(), { runsActions: true })
  return { ...demo, hasCollections: true }
}
