import { collection, defineSchema, edge, field, node } from 'kithgraph'

const eventFields = { title: field.string(), start_time: field.datetime({ required: true }) }
const score = field.int({ required: true })
const joined = field.unixtime({ required: true })

/** The schema of data that was written before there were collections and orders. */
export const oldSchema = defineSchema({
  event: node({
    fields: eventFields,
    edges: {
      comments: edge('comment', { fields: { score } }),
      guests: edge('person', { inverse: 'attends', fields: { joined } }),
    },
  }),
  comment: node({}),
  person: node({ edges: { attends: edge('event', { inverse: 'guests', fields: { joined } }) } }),
})

/** The secret of all graphs with this schema. */
export const SECRET = 'a secret of at least 32 characters'

/** A schema with collections and with an order of each kind, which the tests of the command line import as a file. */
export const schema = defineSchema(
  {
    event: node({
      fields: eventFields,
      edges: {
        comments: edge('comment', { fields: { score }, orders: { top: { by: 'score' } } }),
        guests: edge('person', { inverse: 'attends', fields: { joined } }),
      },
    }),
    comment: node({}),
    person: node({
      edges: {
        attends: edge('event', {
          inverse: 'guests',
          fields: { joined },
          orders: { latest: { by: 'joined' } },
        }),
      },
    }),
  },
  {
    collections: {
      events: collection('event', { by: 'start_time', order: 'chronological' }),
      everyone: collection(['person', 'event']),
    },
  },
)
