import { defineSchema, edge, field, node, parameter } from 'kithgraph'

const role = parameter.enum(['guest', 'host'])
const loud = parameter.bool({ default: false })

/** A schema with stored lists: of an edge without a mirror, of a symmetric edge and of inverse edges. */
export const listedSchema = defineSchema({
  person: node({
    fields: { name: field.string(), known: field.viewerEdge('friends') },
    edges: {
      photos: edge('photo', {
        parameters: {
          type: parameter.enum(['tagged', 'uploaded'], { default: 'tagged' }),
          size: parameter.int(),
        },
        list: ({ type }) => (type === 'tagged' ? 'photos' : `photos_${type}`),
        where: ({ time }, { size }) => size === undefined || time > size,
      }),
      friends: edge('person', {
        symmetric: true,
        fields: { note: field.string() },
        parameters: { close: parameter.bool({ default: false }) },
        list: ({ close }) => (close ? 'friends_close' : 'friends'),
      }),
      events: edge('event', {
        inverse: 'people',
        fields: { seat: field.int() },
        parameters: { role, loud },
        list: parameters => `events_${parameters.role ?? 'any'}${parameters.loud ? '_loud' : ''}`,
      }),
      visits: edge('event', {
        parameters: { long: parameter.bool({ required: true }) },
        list: ({ long }) => (long ? 'visits' : 'visits_short'),
      }),
      likes: edge('photo', { parameters: { size: parameter.int() }, where: () => true }),
    },
  }),
  event: node({
    edges: {
      people: edge('person', {
        inverse: 'events',
        parameters: { loud, role },
        list: parameters =>
          parameters.role === undefined && !parameters.loud
            ? 'people'
            : `${parameters.loud ? 'loud' : 'calm'}_${parameters.role ?? 'people'}`,
      }),
    },
  }),
  photo: node({}),
})
