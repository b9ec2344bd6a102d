import type { Spread } from './statistics.ts'

/** What a figure, or its ratio to ours, is held to. */
export type Bar = { readonly atMost: number } | { readonly atLeast: number }

/** One line of a row. */
export type Finding = {
  readonly label: string
  readonly figure: Spread
  readonly unit: string
  /** Beside ours: how many times as long ours takes, or how many times as fast it is. */
  readonly ratio?: { readonly spread: Spread; readonly of: 'as long' | 'as fast' } | undefined
  /** What the ratio is held to, or the figure where there is none. */
  readonly bar?: Bar | undefined
  /** Of a row that is drawn: the line that the figure is a point of, and where the point lies on the other axis. */
  readonly drawn?: { readonly line: string; readonly at: number } | undefined
}

/** What is held to a bar: the ratio, or the figure where there is none. */
export const heldToBar = ({ ratio, figure }: Finding): Spread => ratio?.spread ?? figure

/** Whether a finding clears its bar. */
export const isMet = (finding: Finding, bar: Bar): boolean => {
  const { median } = heldToBar(finding)
  return 'atMost' in bar ? median <= bar.atMost : median >= bar.atLeast
}
