import type { Change } from './change.ts'
import { type Bar, type Finding, isMet } from './finding.ts'
import type { Spread } from './statistics.ts'

/** A figure with as many digits as it tells something by. */
export const rounded = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)

const spreadText = ({ median, low, high }: Spread, unit: string): string =>
  `${rounded(median)} ${unit}`.padStart(11) + ` (${rounded(low)}–${rounded(high)})`.padEnd(16)

const barText = (finding: Finding, bar: Bar): string => {
  const unit = finding.ratio === undefined ? finding.unit : '×'
  const text = 'atMost' in bar ? `at most ${bar.atMost} ${unit}` : `at least ${bar.atLeast} ${unit}`
  return `  bar: ${text}, ${isMet(finding, bar) ? 'met' : 'NOT MET'}`
}

const ratioText = ({ ratio }: Finding): string => {
  if (ratio === undefined) return ''
  return ratio.of === 'as fast'
    ? `${spreadText(ratio.spread, '×')} ours is as fast  `
    : `${spreadText(ratio.spread, '×')} ours takes as long`
}

/** A finding as one line: the median, between the quartiles; then the same of the ratio, and the bar. */
export const findingLine = (finding: Finding): string => {
  const { label, figure, unit, bar } = finding
  const told = `  ${label.padEnd(30)}${spreadText(figure, unit)}${ratioText(finding)}`
  return (bar === undefined ? told : told + barText(finding, bar)).trimEnd()
}

/** A figure of two revisions as one line: what it was, what it is, and the one divided by the other. */
export const changeLine = ({ label, unit, old, now, ratio }: Change): string =>
  `  ${label.padEnd(30)}old${spreadText(old, unit)}now${spreadText(now, unit)}${spreadText(ratio, '×')}`.trimEnd()
