import type { MeasuredRow, Results } from '../../bench/measure/results.ts'
import type { Plot } from './plots.ts'
import { renderBarsTable, renderRowTable } from './tables.ts'

type Named = readonly [name: string, row: MeasuredRow]

const distinct = (values: readonly string[]): string => [...new Set(values)].join('; ')

const toDay = (date: string): string => date.slice(0, 10)

const METHOD = `All implementations of a piece of work are measured in one run. Each round runs every one of them for a few milliseconds
in turn, and ratios are computed within a round, so that other load of the machine affects all of them equally. Medians are
first, quartiles in brackets. Times are the processor time of the whole process, including its garbage collector and its
compiler. If a server does part of the work, they are clock times, and for requests over HTTP the processor time of the
server. Before any measurement, results are compared with those of peers. Our reads use issued tokens, which each read
verifies, or sessions if only rules are measured; limits and costs are checked too.`

const head = (source: string, rows: readonly Named[]): string => {
  const surroundings = rows.map(([, row]) => row.surroundings)
  const days = rows.map(([, { date }]) => toDay(date)).toSorted()
  const changed = rows.filter(([, row]) => row.surroundings.isChanged).map(([name]) => `\`${name}\``)
  return [
    `\`npm run report\` generates this page from \`${source}\`.`,
    '',
    '| | |',
    '|---|---|',
    `| measured | ${[...new Set([days[0], days.at(-1)])].join(' to ')}, commit \`${distinct(surroundings.map(({ commit }) => commit))}\` |`,
    `| machine | ${distinct(surroundings.map(({ machine }) => machine))} |`,
    `| Node | ${distinct(surroundings.map(({ node }) => node))} |`,
    `| peers | ${distinct(surroundings.flatMap(({ versions }) => versions)).replaceAll('; ', ', ')} |`,
    ...(changed.length === 0 ? [] : [`| with changes since that commit | ${changed.join(', ')} |`]),
  ].join('\n')
}

const renderRow = ([name, row]: Named, plots: readonly Plot[]): string => {
  const drawn = plots.filter(plot => plot.row === name).map(({ title, file }) => `![${title}](${file})\n\n`)
  return `### ${name}\n\n${row.title}: \`${row.command}\`\n\n${drawn.join('')}${renderRowTable(row)}`
}

const listUnmeasured = ({ known, rows }: Results): string => {
  const missing = known.filter(name => rows[name] === undefined).map(name => `\`${name}\``)
  return missing.length === 0
    ? ''
    : `Not measured at this commit: ${missing.join(', ')}; \`npm run bench -- ROW\` measures one.\n\n`
}

/**
 * Renders the performance page as Markdown.
 *
 * @param source The file of the measurements, as the page names it.
 * @param commentary Text about the figures, written by hand.
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
  return `# Performance

${head(source, rows)}

${METHOD}

## Every bar

${listUnmeasured(results)}${renderBarsTable(rows)}

${commentary.trim()}

## Every row

${rows.map(row => renderRow(row, plots)).join('\n\n')}
`
}
