import type { Change } from './change.ts'
import { type Bar, type Finding, reachesBar } from './finding.ts'
import type { Spread } from './statistics.ts'

/** Formats a figure with up to two decimals. */
export const formatNumber = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)

const spreadText = ({ median, low, high }: Spread, unit: string): string =>
  `${formatNumber(median)} ${unit}`.padStart(11) + ` (${formatNumber(low)}–${formatNumber(high)})`.padEnd(16)

const barText = (finding: Finding, bar: Bar): string => {
  const unit = finding.ratio === undefined ? finding.unit : '×'
  const text = 'max' in bar ? `at most ${bar.max} ${unit}` : `at least ${bar.min} ${unit}`
  return `  target: ${text}, ${reachesBar(finding, bar) ? 'met' : 'NOT MET'}`
}

const ratioText = ({ ratio }: Finding): string => {
  if (ratio === undefined) return ''
  return ratio.of === 'as fast'
    ? `${spreadText(ratio.spread, '×')} ours is as fast  `
    : `${spreadText(ratio.spread, '×')} ours takes as long`
}

/** Formats a finding as one line: the median and quartiles of the figure and of the ratio, and the target. */
export const findingLine = (finding: Finding): string => {
  const { label, figure, unit, bar } = finding
  const line = `  ${label.padEnd(30)}${spreadText(figure, unit)}${ratioText(finding)}`
  return (bar === undefined ? line : line + barText(finding, bar)).trimEnd()
}

/** Formats a figure of two revisions as one line: the old figure, the new figure, and their quotient. */
export const changeLine = ({ label, unit, old, now, ratio }: Change): string =>
  `  ${label.padEnd(30)}old${spreadText(old, unit)}now${spreadText(now, unit)}${spreadText(ratio, '×')}`.trimEnd()
