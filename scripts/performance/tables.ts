import { type Bar, comparedFigure } from '../../bench/measure/finding.ts'
import { formatNumber } from '../../bench/measure/report.ts'
import type { MeasuredFinding, MeasuredRow } from '../../bench/measure/results.ts'
import type { Spread } from '../../bench/measure/statistics.ts'

/** Formats a figure with separated thousands. */
const formatThousands = (value: number): string =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : formatNumber(value)

const formatQuartiles = ({ median, low, high }: Spread): string =>
  low === median && high === median ? '' : ` (${formatThousands(low)}–${formatThousands(high)})`

const formatFigure = ({ figure, unit }: MeasuredFinding): string =>
  `${formatThousands(figure.median)} ${unit}${formatQuartiles(figure)}`

const formatRatio = ({ ratio }: MeasuredFinding): string => {
  if (ratio === undefined) return ''
  const times = `**${formatThousands(ratio.spread.median)} ×**`
  return `${ratio.of === 'as fast' ? `${times} as fast` : `takes ${times} as long`}${formatQuartiles(ratio.spread)}`
}

const formatBar = ({ ratio, unit }: MeasuredFinding, bar: Bar): string => {
  const of = ratio === undefined ? unit : `× ${ratio.of}`
  return 'max' in bar ? `≤ ${bar.max} ${of}` : `≥ ${bar.min} ${of}`
}

/** Formats the distance of a finding above or below its bar. */
const formatDistance = (finding: MeasuredFinding, bar: Bar): string => {
  const share = comparedFigure(finding).median / ('max' in bar ? bar.max : bar.min)
  if (share >= 2) return `${formatThousands(share)} × the bar`
  const percent = Math.round(Math.abs(share - 1) * 100)
  return percent === 0 ? 'at the bar' : `${percent} % ${share > 1 ? 'above' : 'below'}`
}

const formatBarResult = (finding: MeasuredFinding, bar: Bar): string =>
  `${finding.reachesBar ? 'met' : '**not met**'}, ${formatDistance(finding, bar)}`

const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')

/**
 * Returns the label of the finding that this one is compared with: the last earlier one of the same kind
 * without a ratio.
 */
const findBaseline = (findings: readonly MeasuredFinding[], finding: MeasuredFinding): string => {
  if (finding.ratio === undefined) return finding.label
  const before = findings.slice(0, findings.indexOf(finding))
  return before.findLast(({ ratio, unit }) => ratio === undefined && unit === finding.unit)?.label ?? ''
}

const barLine = (name: string, { title, findings }: MeasuredRow, finding: MeasuredFinding): string[] => {
  const { bar, label, ratio } = finding
  if (bar === undefined) return []
  const peer = ratio === undefined ? '' : label
  const measured = ratio === undefined ? formatFigure(finding) : formatRatio(finding)
  const ours = findBaseline(findings, finding)
  return [
    `[${title}](#${name})`,
    ours,
    peer,
    formatBar(finding, bar),
    measured,
    formatBarResult(finding, bar),
  ]
}

/** Renders a table of all findings with a bar. */
export const renderBarsTable = (rows: readonly (readonly [name: string, row: MeasuredRow])[]): string =>
  table(
    ['work', 'ours', 'peer', 'bar', 'measured', ''],
    rows
      .flatMap(([name, row]) => row.findings.map(finding => barLine(name, row, finding)))
      .filter(line => line.length > 0),
  )

/** Renders a table of all findings of a row. */
export const renderRowTable = ({ findings }: MeasuredRow): string =>
  table(
    ['', 'median (quartiles)', 'ours', 'bar', ''],
    findings.map(finding => {
      const { bar, label } = finding
      const barCells = bar === undefined ? ['', ''] : [formatBar(finding, bar), formatBarResult(finding, bar)]
      return [label, formatFigure(finding), formatRatio(finding), ...barCells]
    }),
  )
