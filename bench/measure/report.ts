import { type Bar, type Finding, isMet } from './finding.ts'
import type { Spread } from './statistics.ts'

const round = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)

const spreadText = ({ median, low, high }: Spread, unit: string): string =>
  `${round(median)} ${unit}`.padStart(11) + ` (${round(low)}–${round(high)})`.padEnd(16)

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
