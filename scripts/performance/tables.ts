import { type Bar, comparedFigure } from '../../bench/measure/finding.ts'
import { formatNumber } from '../../bench/measure/report.ts'
import type { MeasuredFinding, MeasuredRow } from '../../bench/measure/results.ts'
import type { Spread } from '../../bench/measure/statistics.ts'
import { linkToRow } from './headings.ts'

/** Formats a figure with thousands separators. */
export const formatThousands = (value: number): string =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : formatNumber(value)

const formatQuartiles = ({ median, low, high }: Spread): string =>
  low === median && high === median
    ? ''
    : ` (${formatThousands(low)}${low < 0 ? ' to ' : '–'}${formatThousands(high)})`

/** Adds separators to the numbers of a label or title. */
export const separateThousands = (text: string): string =>
  text.replaceAll(/\b\d{4,}\b/g, digits => Number(digits).toLocaleString('en-US'))

/** Formats a label as the subject of a sentence. A label that is not a name is put in quotes. */
const formatSubject = (label: string): string =>
  label === 'kithgraph' ? label : `"${separateThousands(label)}"`

const formatMedian = ({ figure, unit }: MeasuredFinding): string =>
  `${formatThousands(figure.median)} ${unit}`.trim()

const formatFigure = (finding: MeasuredFinding): string =>
  `${formatMedian(finding)}${formatQuartiles(finding.figure)}`

/**
 * Returns the baseline of a finding: the last earlier finding with the same unit and without a ratio. A finding
 * without a ratio is its own baseline.
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
  return `${formatSubject(label)} ${ratio.of === 'as fast' ? 'is' : 'takes'} ${times}`
}

const formatTarget = ({ label, ratio, unit }: MeasuredFinding, bar: Bar): string => {
  const bound = 'max' in bar ? `at most ${bar.max}` : `at least ${bar.min}`
  return ratio === undefined ? `${bound} ${unit}` : `${bound} × ${ratio.of} as ${formatSubject(label)}`
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
    label === 'kithgraph' ? linkToRow(name) : `${linkToRow(name)}: ${formatSubject(label)}`,
    formatTarget(finding, bar),
    measured,
    formatTargetResult(finding, bar),
  ]
}

/** Renders a table of all findings that have a target. */
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
    separateThousands(finding.label),
    formatFigure(finding),
    ...(isCompared ? [formatComparison(findings, finding)] : []),
  ])
  return table(head, lines)
}
