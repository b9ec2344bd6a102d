import { collection, defineSchema, edge, field, node, parameter } from 'kithgraph'
import { toSchemaView } from '../../../src/explorer/schema-view.ts'

/** A schema with lists of all kinds. */
export const eventSchema = defineSchema(
  {
    event: node({
      fields: {
        title: field.string({ default: true, required: true }),
        start_time: field.datetime({ required: true }),
        rank: field.int({ required: true }),
        venue: field.ref('venue'),
        host: field.ref('person'),
        contact: field.string({ scope: 'contacts' }),
      },
      edges: {
        guests: edge('person', {
          fields: { score: field.int({ required: true }) },
          orders: { newest: 'time', best: { by: 'score' } },
          order: 'newest',
        }),
        similar: edge('event', { defaults: ['start_time'], resolve: () => [] }),
        nearby: edge('event', { times: true, resolve: () => [] }),
      },
    }),
    venue: node({ fields: { title: field.string({ required: true }) } }),
    person: node({ fields: { name: field.string({ default: true }) } }),
  },
  {
    collections: {
      events: collection('event', {
        by: 'start_time',
        description: 'All events.',
        parameters: { upcoming: parameter.bool() },
        where: () => true,
      }),
      ranked: collection('event', { by: 'rank', order: 'chronological' }),
      people: collection('person'),
      hosted: collection('event', {
        parameters: { host: parameter.id({ required: true }) },
        where: () => true,
      }),
    },
  },
)

/** The view of the schema that the page of its Explorer loads. */
export const eventSchemaView = toSchemaView(eventSchema, 'v1.0')

/** Returns the view of an edge. */
export const findEdge = (type: string, name: string) => {
  const edges = eventSchemaView.types.find(candidate => candidate.name === type)?.edges ?? []
  const found = edges.find(candidate => candidate.name === name)
  if (found === undefined) throw new Error(`${type} has no edge ${name}`)
  return found
}
