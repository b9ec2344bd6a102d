import type { Mutation } from '../../src/store/contract.ts'
import type { Person } from '../data/social-data.ts'

/** A photo that many like, beside those of the social data: its likes fill pages. */
export const POPULAR = { id: '400000000000001', likes: 100, since: Date.UTC(2015, 0) }

/** Who likes it, oldest first, each with the time. */
export const likesOf = (people: readonly Person[]): { readonly person: Person; readonly time: number }[] =>
  people.slice(0, POPULAR.likes).map((person, index) => ({ person, time: POPULAR.since + index * 1000 }))

/** The same as what a store is filled with. */
export const popularMutations = (people: readonly Person[]): Mutation[] => [
  { op: 'putNode', node: { id: POPULAR.id, type: 'photo', fields: { name: 'A sunset' } } },
  ...likesOf(people).map(
    ({ person, time }): Mutation => ({
      op: 'putEdge',
      edge: { source: POPULAR.id, name: 'likes', target: person.id, time },
    }),
  ),
]
