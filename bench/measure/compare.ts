import type { Contender } from '../contenders/contender.ts'
import { alternate, type Timing } from './alternate.ts'
import type { Bar, Finding } from './finding.ts'
import { spreadOf } from './statistics.ts'
import type { Clock } from './work-done.ts'

/**
 * A contender with an optional target: the largest allowed value of our time divided by the contender's time,
 * or the smallest allowed value of the contender's time divided by our time.
 */
export type Opponent = Contender & { readonly bar?: Bar | undefined }

/**
 * Computes ratios within each round, in which both contenders ran on the same machine under the same load.
 */
const ratios = (above: Timing, below: Timing): number[] =>
  above.map((time, round) => time / (below[round] ?? Number.NaN))

const createRatio = (ours: Timing, theirs: Timing, bar: Bar | undefined): Finding['ratio'] =>
  bar !== undefined && 'min' in bar
    ? { spread: spreadOf(ratios(theirs, ours)), of: 'as fast' }
    : { spread: spreadOf(ratios(ours, theirs)), of: 'as long' }

/**
 * Measures our implementation and the other contenders in turn. Returns the time per call of each contender,
 * and the ratios to our time.
 */
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
      return { ...line(opponent, theirs), ratio: createRatio(mine, theirs, opponent.bar), bar: opponent.bar }
    }),
  ]
}
