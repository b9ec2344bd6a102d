import type { MeasuredFinding, Results } from '../../bench/measure/results.ts'
import { formatThousands } from './tables.ts'

type Findings = readonly MeasuredFinding[]

const formatTime = ({ figure, unit }: MeasuredFinding): string => `${formatThousands(figure.median)} ${unit}`

const formatRatio = ({ ratio }: MeasuredFinding): string =>
  ratio === undefined ? '' : `${formatThousands(ratio.spread.median)} ×`

/** Formats the times of all peers with a prefix, relative to ours, such as "3 × as long with graphql-js". */
const formatPeers = (findings: Findings, prefix: string): string =>
  findings
    .filter(({ label, ratio }) => label.startsWith(prefix) && ratio?.of === 'as fast')
    .map(finding => `${formatRatio(finding)} as long with ${finding.label}`)
    .join(', and ')

const describeSmallQuery = ([ours]: Findings): string =>
  ours === undefined
    ? ''
    : `- **A small query takes ${formatTime(ours)}.** It is \`getMe\` with its default fields and an access token.`

const describeNestedQuery = (findings: Findings): string => {
  const [ours] = findings
  const peers = formatPeers(findings, 'graphql')
  return ours === undefined || peers === ''
    ? ''
    : `- **A query for 71 nodes in four levels takes ${formatTime(ours)}.** It reads a person, ten photos, three comments on
  each photo, and the author of each comment.
  The same query takes ${peers}.`
}

const describeLongList = ([long, short]: Findings): string =>
  long === undefined || short?.ratio === undefined
    ? ''
    : `- **A page of 25 entries from a list of 1,000,000 takes ${formatRatio(short)} as long as from a list of 25.** Both pages include
  the count of the list. The page of the long list takes ${formatTime(long)}.`

/** Renders the most important figures as a list of sentences. Omits a figure if its row was not measured. */
export const renderHeadlines = ({ rows }: Results): string =>
  [
    describeSmallQuery(rows.me?.findings ?? []),
    describeNestedQuery(rows.photos?.findings ?? []),
    describeLongList(rows.list?.findings ?? []),
  ]
    .filter(line => line !== '')
    .join('\n')
