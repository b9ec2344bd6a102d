import { collection, createGraph, defineSchema, edge, field, node, type Store } from 'kithgraph'

/**
 * People and photos, with a symmetric edge that may have data, an inverse edge, a symmetric edge in a further order,
 * and a collection.
 */
export const schema = defineSchema(
  {
    person: node({
      fields: { note: field.string(), patch: field.string(), rank: field.int({ required: true }) },
      edges: {
        friends: edge('person', { symmetric: true, fields: { since: field.int() } }),
        knows: edge('person', {
          symmetric: true,
          fields: { since: field.int({ required: true }) },
          orders: { top: { by: 'since' } },
        }),
        likes: edge('photo', { inverse: 'liked_by' }),
      },
    }),
    photo: node({
      fields: { note: field.string() },
      edges: { liked_by: edge('person', { inverse: 'likes' }) },
    }),
    ledger: node({ fields: { batch: field.int(), attempt: field.int() } }),
  },
  { collections: { people: collection('person', { by: 'rank' }) } },
)

export const createCampaignGraph = (store: Store) =>
  createGraph(store, { schema, secret: 'a secret of at least 32 characters' })

/** For each name of an edge, the name at its other end. */
export const MIRROR_NAMES = {
  friends: 'friends',
  knows: 'knows',
  likes: 'liked_by',
  liked_by: 'likes',
} as const

export type EdgeName = keyof typeof MIRROR_NAMES
