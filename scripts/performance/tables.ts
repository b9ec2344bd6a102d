import { type Bar, comparedFigure } from '../../bench/measure/finding.ts'
import { formatNumber } from '../../bench/measure/report.ts'
import type { MeasuredFinding, MeasuredRow } from '../../bench/measure/results.ts'
import type { Spread } from '../../bench/measure/statistics.ts'
import { linkToRow } from './headings.ts'

/** Formats a figure with separators of thousands. */
export const formatThousands = (value: number): string =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : formatNumber(value)

const formatQuartiles = ({ median, low, high }: Spread): string =>
  low === median && high === median ? '' : ` (${formatThousands(low)}–${formatThousands(high)})`

const formatMedian = ({ figure, unit }: MeasuredFinding): string =>
  `${formatThousands(figure.median)} ${unit}`.trim()

const formatFigure = (finding: MeasuredFinding): string =>
  `${formatMedian(finding)}${formatQuartiles(finding.figure)}`

/**
 * Returns the finding that a finding is compared with: the last one before it that has the same unit and no
 * ratio.
 */
const findBaseline = (findings: readonly MeasuredFinding[], finding: MeasuredFinding): MeasuredFinding => {
  if (finding.ratio === undefined) return finding
  const before = findings.slice(0, findings.indexOf(finding))
  return before.findLast(({ ratio, unit }) => ratio === undefined && unit === finding.unit) ?? finding
}

/** Formats a comparison as a sentence about the baseline. */
const formatComparison = (findings: readonly MeasuredFinding[], finding: MeasuredFinding): string => {
  const { ratio } = finding
  if (ratio === undefined) return ''
  const times = `**${formatThousands(ratio.spread.median)} ×** ${ratio.of}${formatQuartiles(ratio.spread)}`
  const { label } = findBaseline(findings, finding)
  return `${label} ${ratio.of === 'as fast' ? 'is' : 'takes'} ${times}`
}

const formatTarget = ({ label, ratio, unit }: MeasuredFinding, bar: Bar): string => {
  const bound = 'max' in bar ? `at most ${bar.max}` : `at least ${bar.min}`
  return ratio === undefined ? `${bound} ${unit}` : `${bound} × ${ratio.of} as ${label}`
}

const formatTargetResult = (finding: MeasuredFinding, bar: Bar): string => {
  if (finding.reachesBar) return 'met'
  const share = comparedFigure(finding).median / ('max' in bar ? bar.max : bar.min)
  const percent = Math.round(Math.abs(share - 1) * 100)
  return percent === 0
    ? '**not met**, by less than 1 %'
    : `**not met**, by ${percent.toLocaleString('en-US')} %`
}

const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')

const targetLine = (name: string, { findings }: MeasuredRow, finding: MeasuredFinding): string[] => {
  const { bar, ratio } = finding
  if (bar === undefined) return []
  const { label } = findBaseline(findings, finding)
  const measured = ratio === undefined ? formatMedian(finding) : `${formatThousands(ratio.spread.median)} ×`
  return [
    label === 'kithgraph' ? linkToRow(name) : `${linkToRow(name)}: ${label}`,
    formatTarget(finding, bar),
    measured,
    formatTargetResult(finding, bar),
  ]
}

/** Renders a table of all findings with a target. */
export const renderTargetsTable = (rows: readonly (readonly [name: string, row: MeasuredRow])[]): string =>
  table(
    ['measurement', 'target', 'measured', 'result'],
    rows
      .flatMap(([name, row]) => row.findings.map(finding => targetLine(name, row, finding)))
      .filter(line => line.length > 0),
  )

/** Renders a table of all findings of a row. */
export const renderRowTable = ({ findings }: MeasuredRow): string => {
  const isCompared = findings.some(({ ratio }) => ratio !== undefined)
  const head = ['', 'median (quartiles)', ...(isCompared ? ['compared with this line'] : [])]
  const lines = findings.map(finding => [
    finding.label,
    formatFigure(finding),
    ...(isCompared ? [formatComparison(findings, finding)] : []),
  ])
  return table(head, lines)
}
