/** How many records {@link manyRecords} makes of each person. */
export const RECORDS_OF_ONE = 7

const FIRST_PHOTO = 1_000_000_000

/** The ids of as many people, and of their photos. */
export const manyIds = (people: number): readonly string[] =>
  Array.from({ length: people }, (_, index) => [`${index + 1}`, `${FIRST_PHOTO + index}`]).flat()

/**
 * A graph of the social schema, always the same: people who all are friends of the first and each of an earlier one, with
 * a photo each that two people like.
 */
export function* manyRecords(people: number) {
  for (let index = 0; index < people; index++) {
    const [person, photo] = [`${index + 1}`, `${FIRST_PHOTO + index}`]
    const earlier = (offset: number) => `${((index * 7919 + offset) % (index + 1)) + 1}`
    const edge = <const TName extends string>(source: string, name: TName, target: string, time: number) => ({
      edge: { source, name, target, time },
    })
    yield { node: { type: 'user' as const, id: person, fields: { name: `Person ${person}` } } }
    yield { node: { type: 'photo' as const, id: photo, fields: { created_time: index, from: person } } }
    yield edge(person, 'photos', photo, index)
    yield edge(person, 'friends', '1', index)
    yield edge(person, 'friends', earlier(1), index + 1)
    yield edge(photo, 'likes', person, index)
    yield edge(photo, 'likes', earlier(2), index + 2)
  }
}
