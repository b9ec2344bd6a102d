import type { StoreMutation } from '../../src/store/mutations.ts'
import type { Person } from '../data/social-data.ts'

/** A photo with enough likes to fill pages, in addition to the social data. */
export const POPULAR = { id: '400000000000001', likes: 100, since: Date.UTC(2015, 0) }

/** Creates the likes of the photo, sorted from old to new. */
export const createLikes = (
  people: readonly Person[],
): { readonly person: Person; readonly time: number }[] =>
  people.slice(0, POPULAR.likes).map((person, index) => ({ person, time: POPULAR.since + index * 1000 }))

/** Creates the mutations that write the same likes to a store. */
export const popularMutations = (people: readonly Person[]): StoreMutation[] => [
  { op: 'putNode', node: { id: POPULAR.id, type: 'photo', fields: { name: 'A sunset' } } },
  ...createLikes(people).map(
    ({ person, time }): StoreMutation => ({
      op: 'putEdge',
      edge: { source: POPULAR.id, name: 'likes', target: person.id, time },
    }),
  ),
]
