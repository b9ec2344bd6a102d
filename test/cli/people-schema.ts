import { defineSchema, edge, field, node } from 'kithgraph'

/** A schema with each kind of mirrored edge, which the tests of the command line import as a file. */
export const schema = defineSchema({
  person: node({
    fields: { name: field.string({ required: true }), age: field.int() },
    edges: {
      friends: edge('person', { symmetric: true, fields: { note: field.string() } }),
      likes: edge('photo', { inverse: 'liked_by' }),
      follows: edge('person'),
    },
  }),
  photo: node({ edges: { liked_by: edge('person', { inverse: 'likes' }) } }),
})
