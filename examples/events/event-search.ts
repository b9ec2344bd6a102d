import type { ResolvedPage, ResolvedPageRequest } from 'kithgraph'

/** The fields of an event that the search reads. */
export const SEARCHED_FIELDS = 'topics,venue{latitude,longitude}'

type Location = { readonly latitude: number; readonly longitude: number }

/** An event with the {@link SEARCHED_FIELDS}. */
export type SearchedEvent = {
  readonly id: string
  readonly topics?: readonly string[] | undefined
  readonly venue?: Location | undefined
}

type KnownEvent = { readonly id: string; readonly topics: readonly string[]; readonly location: Location }

type Match = { readonly id: string; readonly sharedTopics: number; readonly km: number }

const KM_PER_DEGREE = 111.2

/** Returns the distance in kilometres, with one decimal. It is exact enough for one region. */
const distanceOf = (first: Location, second: Location): number => {
  const north = first.latitude - second.latitude
  const east = (first.longitude - second.longitude) * Math.cos((first.latitude * Math.PI) / 180)
  return Math.round(Math.hypot(north, east) * KM_PER_DEGREE * 10) / 10
}

const compare = (first: Match, second: Match): number =>
  second.sharedTopics - first.sharedTopics || first.km - second.km || (first.id < second.id ? -1 : 1)

/** The position contains everything that a match is sorted by. So it stays valid if other events change. */
const positionOf = ({ sharedTopics, km, id }: Match): string => `${sharedTopics} ${km} ${id}`

const isAfter = (match: Match, position: string): boolean => {
  const [sharedTopics, km, id = ''] = position.split(' ')
  return id !== match.id && compare(match, { id, sharedTopics: Number(sharedTopics), km: Number(km) }) > 0
}

/**
 * Creates a search in memory. It stands for a search engine. It contains only events that everyone may see,
 * so its order and its pages depend on no hidden event.
 */
export const createEventSearch = () => {
  const events = new Map<string, KnownEvent>()

  const rank = (event: KnownEvent, radiusKm: number): Match[] =>
    [...events.values()]
      .filter(({ id }) => id !== event.id)
      .map(other => ({
        id: other.id,
        sharedTopics: other.topics.filter(topic => event.topics.includes(topic)).length,
        km: distanceOf(event.location, other.location),
      }))
      .filter(({ sharedTopics, km }) => sharedTopics > 0 && km <= radiusKm)
      .sort(compare)

  return {
    put: ({ id, topics = [], venue }: SearchedEvent): void => {
      if (venue !== undefined) events.set(id, { id, topics, location: venue })
    },
    remove: (id: string): void => {
      events.delete(id)
    },
    /** Returns a page of the events that are similar to an event. An unknown event has no similar ones. */
    findSimilar: (id: string, radiusKm: number, page: ResolvedPageRequest | undefined): ResolvedPage => {
      const event = events.get(id)
      if (event === undefined || page === undefined) return { entries: [], hasMore: false }
      const { from, limit } = page
      const rest = rank(event, radiusKm).filter(match => from === undefined || isAfter(match, from))
      const entries = rest.slice(0, limit).map(match => ({
        id: match.id,
        position: positionOf(match),
        data: { shared_topics: match.sharedTopics, distance_km: match.km },
      }))
      return { entries, hasMore: rest.length > limit }
    },
  }
}

export type EventSearch = ReturnType<typeof createEventSearch>
