import { defineSchema, edge, field, node, parameter } from 'kithgraph'

const near = parameter.bool({ default: true })

/** A schema with each kind of mirrored edge and with stored lists, which the tests of the command line import as a file. */
export const schema = defineSchema({
  person: node({
    fields: { name: field.string({ required: true }), age: field.int() },
    edges: {
      friends: edge('person', { symmetric: true, fields: { note: field.string() } }),
      likes: edge('photo', { inverse: 'liked_by' }),
      follows: edge('person'),
      knows: edge('person', {
        inverse: 'known_by',
        fields: { since: field.int() },
        parameters: { near },
        list: values => (values.near ? 'knows' : 'knows_far'),
      }),
      known_by: edge('person', {
        inverse: 'knows',
        parameters: { near },
        list: values => (values.near ? 'known_by' : 'far_known_by'),
      }),
    },
  }),
  photo: node({ edges: { liked_by: edge('person', { inverse: 'likes' }) } }),
})
