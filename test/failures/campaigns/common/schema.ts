import { defineSchema, edge, field, node } from 'kithgraph'

/** People and photos, with a symmetric edge that has data, and an inverse edge. */
export const schema = defineSchema({
  person: node({
    fields: { note: field.string(), patch: field.string() },
    edges: {
      friends: edge('person', { symmetric: true, fields: { since: field.int() } }),
      likes: edge('photo', { inverse: 'liked_by' }),
    },
  }),
  photo: node({
    fields: { note: field.string() },
    edges: { liked_by: edge('person', { inverse: 'likes' }) },
  }),
  ledger: node({ fields: { batch: field.int(), attempt: field.int() } }),
})

/** For each name of an edge, the name at its other end. */
export const MIRROR_NAMES = { friends: 'friends', likes: 'liked_by', liked_by: 'likes' } as const

export type EdgeName = keyof typeof MIRROR_NAMES
