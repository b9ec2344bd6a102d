import { defineSchema, edge, field, node } from 'kithgraph'

export const schema = defineSchema(
  {
    person: node({
      fields: { name: field.string({ required: true }) },
      edges: { photos: edge('photo') },
    }),
    photo: node({ fields: { title: field.string({ required: true }) } }),
  },
  { versions: ['v1.0'], viewers: ['person'] },
)
