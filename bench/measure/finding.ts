import type { Spread } from './statistics.ts'

/**
 * A target: the largest or smallest allowed value of a finding's ratio, or of its figure if it has no ratio.
 */
export type Bar = { readonly max: number } | { readonly min: number }

/** One line of a row. */
export type Finding = {
  readonly label: string
  readonly figure: Spread
  readonly unit: string
  /**
   * The comparison with our implementation: how many times as long our implementation takes, or how many
   * times as fast it is.
   */
  readonly ratio?: { readonly spread: Spread; readonly of: 'as long' | 'as fast' } | undefined
  /** The target of the ratio, or of the figure if there is no ratio. */
  readonly bar?: Bar | undefined
  /** For a row with a plot: the line of this point, and its position on the other axis. */
  readonly plotPoint?: { readonly line: string; readonly at: number } | undefined
}

/**
 * Returns the spread that is compared with the target: that of the ratio, or of the figure if there is no
 * ratio.
 */
export const comparedFigure = ({ ratio, figure }: Finding): Spread => ratio?.spread ?? figure

/** Whether a finding meets a target. */
export const reachesBar = (finding: Finding, bar: Bar): boolean => {
  const { median } = comparedFigure(finding)
  return 'max' in bar ? median <= bar.max : median >= bar.min
}
