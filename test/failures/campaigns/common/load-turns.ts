import { createGraph, type LoadCounts } from 'kithgraph'
import type { Store } from '../../../../src/store/contract.ts'
import { generateRecords } from '../../../helpers/generated-records.ts'
import { measureTurns, type TurnTimes } from '../../../helpers/turn-times.ts'
import { createRandom } from './random.ts'

const EDGES_PER_PERSON = 5

/** Generates people with friends at random, so that each edge changes other pages of a database. */
function* generateFriends(people: number) {
  const random = createRandom(people)
  const pick = (): string => `${1 + random.integer(people)}`
  for (let id = 1; id <= people; id++)
    yield { node: { type: 'user' as const, id: `${id}`, fields: { name: `Person ${id}` } } }
  for (let time = 0; time < EDGES_PER_PERSON * people; time++)
    yield { edge: { source: pick(), name: 'friends' as const, target: pick(), time } }
}

const toText = (people: number): string =>
  Array.from(generateRecords(people), record => JSON.stringify(record)).join('\n')

/** The sources, by name. All of them are synchronous, and each of them has five edges for each person. */
const SOURCES = {
  records: generateRecords,
  random: generateFriends,
  text: toText,
  bytes: (people: number) => [new TextEncoder().encode(toText(people))],
}

export type SourceName = keyof typeof SOURCES
export const SOURCE_NAMES = Object.keys(SOURCES)
export const isSourceName = (name: string): name is SourceName => Object.hasOwn(SOURCES, name)

/** Loads a number of edges and their nodes, and measures each turn of the event loop. */
export const measureLoadTurns = async (
  store: Store,
  sourceName: SourceName,
  edgeCount: number,
): Promise<{ readonly value: LoadCounts; readonly turns: readonly TurnTimes[] }> => {
  const source = SOURCES[sourceName](Math.ceil(edgeCount / EDGES_PER_PERSON))
  const graph = createGraph(store)
  return measureTurns(() => graph.load(source))
}
