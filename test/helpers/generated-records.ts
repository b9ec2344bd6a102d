/** The number of records that {@link generateRecords} creates for each person. */
export const RECORDS_PER_PERSON = 7

const FIRST_PHOTO = 1_000_000_000

/** Returns the ids of the given number of people, and the ids of their photos. */
export const createIds = (people: number): readonly string[] =>
  Array.from({ length: people }, (_, index) => [`${index + 1}`, `${FIRST_PHOTO + index}`]).flat()

/**
 * Generates a graph of the social schema that depends only on the number of people. Each person is a friend
 * of the first person and of an earlier one, and has a photo that two people like.
 */
export function* generateRecords(people: number) {
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
