import type { BranchCounts } from './branch-counter.ts'
import type { CampaignMutation } from './ledger-workload.ts'
import { createRandom } from './random.ts'
import { createEdgeValue } from './state.ts'

const PEOPLE_COUNT = 15

/** The people whose edges are written by several processes at the same time. */
export const RACE_IDS: readonly string[] = Array.from({ length: PEOPLE_COUNT }, (_, index) => `${index + 1}`)

/** Returns all pairs of these people, the smaller id first. */
export const createRacePairs = (): readonly (readonly [string, string])[] =>
  RACE_IDS.flatMap((first, index) => RACE_IDS.slice(index + 1).map(second => [first, second] as const))

/** A write of one edge; the value is undefined for a deletion. */
type RaceWrite = { readonly mutation: CampaignMutation; readonly value: string | undefined }

/** What one process has written in a round: the value of each write (null for a deletion), and its times. */
export type RaceReport = {
  readonly writes: readonly {
    readonly pair: number
    readonly value: string | null
    readonly start: number
    readonly end: number
  }[]
  /** The counts since the process began. */
  readonly counts: BranchCounts
}

/** Creates the writes of one process to one pair in one round. No other write has the same value. */
export const createRaceWrites = (
  seed: number,
  round: number,
  pair: number,
  racer: number,
): readonly RaceWrite[] => {
  const random = createRandom(seed, round, pair, racer)
  const [first = '', second = ''] = createRacePairs()[pair] ?? []
  return Array.from({ length: 1 + random.integer(2) }, (_, index) => {
    const [source, target] = random.chance(0.5) ? [first, second] : [second, first]
    const edge = { source, name: 'friends' as const, target }
    if (random.chance(0.35)) return { mutation: { op: 'deleteEdge', edge }, value: undefined }
    const time = 100 * round + 10 * racer + index
    const data = random.chance(0.5) ? { since: time } : undefined
    return {
      mutation: { op: 'putEdge', edge: { ...edge, time, ...(data && { data }) } },
      value: createEdgeValue(time, data),
    }
  })
}
