import type { Comment, Person, Photo, SocialData } from '../data/social-data.ts'

/** The social graph in memory, without a library. */
export type Maps = {
  readonly people: ReadonlyMap<string, Person>
  /** Photos by person, newest first. */
  readonly photosOf: ReadonlyMap<string, readonly Photo[]>
  /** Comments by photo, oldest first. */
  readonly commentsOf: ReadonlyMap<string, readonly Comment[]>
}

const groupBy = <TItem>(items: Iterable<TItem>, keyOf: (item: TItem) => string): Map<string, TItem[]> => {
  const groups = new Map<string, TItem[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** Fills the Maps. The data is sorted by publication time, so nothing needs to be sorted here. */
export const createMaps = ({ people, photos, comments }: SocialData): Maps => ({
  people: new Map(people.map(person => [person.id, person])),
  photosOf: groupBy(photos.toReversed(), ({ owner }) => owner),
  commentsOf: groupBy(comments, ({ photo }) => photo),
})
