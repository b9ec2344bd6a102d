import type { Contender } from '../contenders/contender.ts'
import { alternate, type Timing } from './alternate.ts'
import type { Bar, Finding } from './finding.ts'
import { spreadOf } from './statistics.ts'
import type { Clock } from './work-done.ts'

/** One that ours is held to: it may take at most so many times as long, or must be so many times as fast. */
export type Opponent = Contender & { readonly bar?: Bar | undefined }

/** Ratios within each round, where both met the same machine. */
const ratios = (above: Timing, below: Timing): number[] =>
  above.map((time, round) => time / (below[round] ?? Number.NaN))

const beside = (ours: Timing, theirs: Timing, bar: Bar | undefined): Finding['ratio'] =>
  bar !== undefined && 'atLeast' in bar
    ? { spread: spreadOf(ratios(theirs, ours)), of: 'as fast' }
    : { spread: spreadOf(ratios(ours, theirs)), of: 'as long' }

/** Times ours and its opponents in turn: what each takes for a call, and how ours stands to it. */
export const compare = async (
  ours: Contender & { readonly bar?: Bar },
  opponents: readonly Opponent[],
  clock?: Clock,
): Promise<Finding[]> => {
  const timings = await alternate([ours, ...opponents], clock)
  const mine = timings[0] ?? []
  const line = ({ name }: Contender, timing: Timing) => ({
    label: name,
    figure: spreadOf(timing),
    unit: 'µs',
  })
  return [
    { ...line(ours, mine), bar: ours.bar },
    ...opponents.map((opponent, index): Finding => {
      const theirs = timings[index + 1] ?? []
      return { ...line(opponent, theirs), ratio: beside(mine, theirs, opponent.bar), bar: opponent.bar }
    }),
  ]
}
