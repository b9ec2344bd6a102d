import { type Bar, heldToBar } from '../../bench/measure/finding.ts'
import { rounded } from '../../bench/measure/report.ts'
import type { MeasuredFinding, MeasuredRow } from '../../bench/measure/results.ts'
import type { Spread } from '../../bench/measure/statistics.ts'

/** A figure with its thousands apart. */
const number = (value: number): string =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : rounded(value)

const quartiles = ({ median, low, high }: Spread): string =>
  low === median && high === median ? '' : ` (${number(low)}–${number(high)})`

const figureText = ({ figure, unit }: MeasuredFinding): string =>
  `${number(figure.median)} ${unit}${quartiles(figure)}`

const ratioText = ({ ratio }: MeasuredFinding): string => {
  if (ratio === undefined) return ''
  const times = `**${number(ratio.spread.median)} ×**`
  return `${ratio.of === 'as fast' ? `${times} as fast` : `takes ${times} as long`}${quartiles(ratio.spread)}`
}

const barText = ({ ratio, unit }: MeasuredFinding, bar: Bar): string => {
  const of = ratio === undefined ? unit : `× ${ratio.of}`
  return 'atMost' in bar ? `≤ ${bar.atMost} ${of}` : `≥ ${bar.atLeast} ${of}`
}

/** By how much a finding lies above or below its bar. */
const distance = (finding: MeasuredFinding, bar: Bar): string => {
  const share = heldToBar(finding).median / ('atMost' in bar ? bar.atMost : bar.atLeast)
  if (share >= 2) return `${number(share)} × the bar`
  const percent = Math.round(Math.abs(share - 1) * 100)
  return percent === 0 ? 'at the bar' : `${percent} % ${share > 1 ? 'above' : 'below'}`
}

const verdict = (finding: MeasuredFinding, bar: Bar): string =>
  `${finding.isMet ? 'met' : '**not met**'}, ${distance(finding, bar)}`

const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')

/** What a finding is held beside: the last one before it that tells of the same and is held beside nothing. */
const oursOf = (findings: readonly MeasuredFinding[], finding: MeasuredFinding): string => {
  if (finding.ratio === undefined) return finding.label
  const before = findings.slice(0, findings.indexOf(finding))
  return before.findLast(({ ratio, unit }) => ratio === undefined && unit === finding.unit)?.label ?? ''
}

const barLine = (name: string, { title, findings }: MeasuredRow, finding: MeasuredFinding): string[] => {
  const { bar, label, ratio } = finding
  if (bar === undefined) return []
  const beside = ratio === undefined ? '' : label
  const measured = ratio === undefined ? figureText(finding) : ratioText(finding)
  const ours = oursOf(findings, finding)
  return [`[${title}](#${name})`, ours, beside, barText(finding, bar), measured, verdict(finding, bar)]
}

/** Every finding of some rows that is held to a bar. */
export const barsTable = (rows: readonly (readonly [name: string, row: MeasuredRow])[]): string =>
  table(
    ['work', 'ours', 'beside', 'bar', 'measured', ''],
    rows
      .flatMap(([name, row]) => row.findings.map(finding => barLine(name, row, finding)))
      .filter(line => line.length > 0),
  )

/** All findings of a row. */
export const rowTable = ({ findings }: MeasuredRow): string =>
  table(
    ['', 'median (quartiles)', 'ours', 'bar', ''],
    findings.map(finding => {
      const { bar, label } = finding
      const held = bar === undefined ? ['', ''] : [barText(finding, bar), verdict(finding, bar)]
      return [label, figureText(finding), ratioText(finding), ...held]
    }),
  )
