import type { MeasuredRow, Results } from '../../bench/measure/results.ts'
import { headingOf } from './headings.ts'
import { renderHeadlines } from './headlines.ts'
import type { Plot } from './plots.ts'
import { renderRowTable, renderTargetsTable, separateThousands } from './tables.ts'

type Named = readonly [name: string, row: MeasuredRow]

const distinct = (values: readonly string[]): string => [...new Set(values)].join('; ')

const toDay = (date: string): string => date.slice(0, 10)

const INTRODUCTION = `This page shows how long queries take, and compares the times with other code on the same machine.`

const HEADLINE_METHOD = `Each time is the median of 80 rounds. It is processor time of one process, in which the graph reads from the memory store. The
[method](#method) is below. For data in a database, see [SQLite](#sqlite), [Postgres](#postgres) and [Redis](#redis).`

const METHOD = `- **One run for all.** Each round runs every implementation for a few milliseconds, one after another. Ratios are computed within
  a round, so that other load on the machine affects all implementations equally. A ratio can differ from the quotient of the two
  medians, and is more reliable than the medians.
- **Medians.** Tables show the median, and the quartiles in brackets.
- **Processor time.** A time includes the work of the garbage collector and of the compiler. If a database does part of the work, times are
  elapsed times. For HTTP, times are the processor time of the server.
- **Same results.** Before each measurement, the benchmark checks that all implementations return the same result.
- **Complete calls.** Calls of kithgraph verify an issued token, and check limits and cost. The measurements of hidden entries and
  of the archive use sessions instead of tokens.`

const PEERS = `| name | what it is |
| --- | --- |
| usual code over Maps | hand-written code that reads JavaScript Maps, as most people would write it |
| fastest code over Maps | hand-written code for exactly one query, as fast as possible |
| graphql-js + DataLoader | a GraphQL schema over the same Maps. The query is parsed and validated once |
| graphql-jit + DataLoader | the same schema. The query is also compiled to JavaScript once |`

const renderEnvironment = (rows: readonly Named[]): string => {
  const surroundings = rows.map(([, row]) => row.surroundings)
  const days = rows.map(([, { date }]) => toDay(date)).toSorted()
  const changed = rows.filter(([, row]) => row.surroundings.isChanged).map(([name]) => `\`${name}\``)
  return [
    '| | |',
    '|---|---|',
    `| measured | ${[...new Set([days[0], days.at(-1)])].join(' to ')}, commit \`${distinct(surroundings.map(({ commit }) => commit))}\` |`,
    `| machine | ${distinct(surroundings.map(({ machine }) => machine))} |`,
    `| Node | ${distinct(surroundings.map(({ node }) => node))} |`,
    `| versions | ${distinct(surroundings.flatMap(({ versions }) => versions)).replaceAll('; ', ', ')} |`,
    ...(changed.length === 0 ? [] : [`| measured with uncommitted changes | ${changed.join(', ')} |`]),
  ].join('\n')
}

const renderImage = ({ title, file }: Plot): string => `![${title}](${file})`

const renderRow = ([name, row]: Named, plots: readonly Plot[]): string => {
  const images = plots
    .filter(plot => plot.row === name && !plot.isHeadline)
    .map(plot => `${renderImage(plot)}\n\n`)
  return `### ${headingOf(name)}\n\nMeasured: ${separateThousands(row.title)}. To repeat the measurement, run \`${row.command}\`.\n\n${images.join('')}${renderRowTable(row)}`
}

const listUnmeasured = ({ known, rows }: Results): string => {
  const missing = known.filter(name => rows[name] === undefined).map(name => `\`${name}\``)
  return missing.length === 0
    ? ''
    : `\n\nThese rows were not measured at this commit: ${missing.join(', ')}.\nTo measure a row, run \`npm run bench -- ROW\`.`
}

/**
 * Renders the performance page as Markdown.
 *
 * @param source The path of the file of measurements. The page shows this path.
 * @param commentary The hand-written section about the figures.
 */
export const renderPerformancePage = (
  results: Results,
  source: string,
  plots: readonly Plot[],
  commentary: string,
): string => {
  const rows = results.known.flatMap((name): Named[] => {
    const row = results.rows[name]
    return row === undefined ? [] : [[name, row]]
  })
  const headlinePlots = plots.filter(({ isHeadline }) => isHeadline).map(renderImage)
  const sections = [
    `# Performance\n\n${INTRODUCTION}`,
    renderHeadlines(results),
    ...headlinePlots,
    HEADLINE_METHOD,
    commentary.trim(),
    `## Method\n\n${METHOD}\n\n${PEERS}\n\n${renderEnvironment(rows)}`,
    `\`npm run report\` generates this page from \`${source}\`, which \`npm run bench\` writes.`,
    `## Measurements${listUnmeasured(results)}`,
    ...rows.map(row => renderRow(row, plots)),
    `## Targets\n\nThese are goals of the project. No feature depends on them.\n\n${renderTargetsTable(rows)}`,
  ]
  return `${sections.join('\n\n')}\n`
}
