import { createRandom } from './random.ts'

/** An association. Objects with smaller ids are older. `note` is the payload, if there is one. */
export type Association = {
  readonly target: string
  readonly time: number
  readonly note: string | undefined
}

export const ASSOCIATIONS = { seed: 1, names: ['first', 'second', 'third'] as const }

export type AssociationName = (typeof ASSOCIATIONS.names)[number]

/** The associations of one name of one object, newest first. */
export type AssociationList = {
  readonly source: string
  readonly name: AssociationName
  readonly entries: readonly Association[]
}

/**
 * The lengths of lists in LinkBench's published file, each with the share of all lists that are at least as
 * long. Between these points, a power law interpolates the lengths. The resulting mean is the published mean
 * of 4.1.
 */
const LENGTHS: readonly (readonly [share: number, length: number])[] = [
  [0.547, 1],
  [0.5, 1],
  [0.1, 3],
  [0.05, 5],
  [0.01, 15],
  [0.001, 264],
  [0.000_1, 6_051],
  [0.000_01, 24_000],
  [0.000_000_1, 961_963],
]

/** Returns the length that the given share of all lists reaches or exceeds. */
const lengthAt = (share: number): number => {
  const next = LENGTHS.findIndex(([above]) => above <= share)
  if (next === 0) return 0
  const [from, to] = next < 0 ? LENGTHS.slice(-2) : LENGTHS.slice(next - 1, next + 1)
  if (from === undefined || to === undefined) return 0
  const power = Math.log(to[1] / from[1]) / Math.log(to[0] / from[0])
  return Math.floor(from[1] * (share / from[0]) ** power)
}

const START = Date.UTC(2014, 0)
const SECOND = 1000
const SECONDS = 365 * 24 * 3600
const FIRST_ID = 100_000_000_000

export const objectId = (index: number): string => `${FIRST_ID + index}`

/**
 * The payload sizes that TAO published: the mean bytes of an object and of an association. Some associations
 * have no payload.
 */
const BYTES = { object: 673, association: 97.8 / 0.605 }
const WITHOUT_NOTE = 0.395

const TEXT = Array.from({ length: 20_000 }, (_, index) => (index * 7919).toString(36)).join(' ')

const textFrom = (random: () => number, mean: number): string => {
  const start = Math.floor(random() * (TEXT.length / 2))
  return TEXT.slice(start, start + Math.ceil(-Math.log(1 - random()) * mean))
}

/** The multiples of this number, modulo 1, are evenly distributed between 0 and 1. */
const GOLDEN = 0.618_033_988_749_894_9
/** A prime number, so that all targets of a list are different. */
const STEP = 7_919

const createList = (random: () => number, objects: number, length: number): Association[] => {
  const first = Math.floor(random() * objects)
  const seconds = Array.from({ length }, () => Math.floor(random() * SECONDS)).sort((a, b) => b - a)
  return seconds.map((second, index) => ({
    target: objectId((first + index * STEP) % objects),
    // Adds milliseconds, so that no two associations have the same time.
    time: START + second * SECOND + length - index,
    note: random() < WITHOUT_NOTE ? undefined : textFrom(random, BYTES.association),
  }))
}

/**
 * Creates the given number of objects, with about eleven associations each. The lists have the lengths that
 * LinkBench published.
 */
export const createAssociations = (objects: number) => {
  const random = createRandom(ASSOCIATIONS.seed)
  const payloads = Array.from({ length: objects }, () => textFrom(random, BYTES.object))
  const lists: AssociationList[] = []
  let share = 0
  for (const name of ASSOCIATIONS.names) {
    for (let index = 0; index < objects; index++) {
      share = (share + GOLDEN) % 1
      const length = Math.min(lengthAt(share), objects)
      if (length > 0)
        lists.push({ source: objectId(index), name, entries: createList(random, objects, length) })
    }
  }
  return { payloads, lists }
}

export type Associations = ReturnType<typeof createAssociations>
