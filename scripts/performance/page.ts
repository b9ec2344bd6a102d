import type { MeasuredRow, Results } from '../../bench/measure/results.ts'
import type { Plot } from './plots.ts'
import { barsTable, rowTable } from './tables.ts'

type Named = readonly [name: string, row: MeasuredRow]

const distinct = (values: readonly string[]): string => [...new Set(values)].join('; ')

const dayOf = (date: string): string => date.slice(0, 10)

const METHOD = `All who do a piece of work do it in one run: each round has every one of them work for a few milliseconds in turn, and
a ratio is taken within the round, so that whatever else the machine does meets them alike. Medians stand first, quartiles
in brackets. Times are the processor time of the whole process, its collector and its compiler included; where a server
does a part of the work, they are the clock's, and for requests over HTTP the processor time of the server. Answers are held
to be the same as those of peers before any is timed. Ours are read by issued tokens, which each read checks, or by sessions where
rules alone are timed; limits and costs are checked, too.`

const head = (source: string, rows: readonly Named[]): string => {
  const surroundings = rows.map(([, row]) => row.surroundings)
  const days = rows.map(([, { date }]) => dayOf(date)).toSorted()
  const changed = rows.filter(([, row]) => row.surroundings.isChanged).map(([name]) => `\`${name}\``)
  return [
    `This page is made by \`npm run report\` from \`${source}\`; no figure of it is typed.`,
    '',
    '| | |',
    '|---|---|',
    `| measured | ${[...new Set([days[0], days.at(-1)])].join(' to ')}, commit \`${distinct(surroundings.map(({ commit }) => commit))}\` |`,
    `| machine | ${distinct(surroundings.map(({ machine }) => machine))} |`,
    `| Node | ${distinct(surroundings.map(({ node }) => node))} |`,
    `| beside | ${distinct(surroundings.flatMap(({ versions }) => versions)).replaceAll('; ', ', ')} |`,
    ...(changed.length === 0 ? [] : [`| with changes since that commit | ${changed.join(', ')} |`]),
  ].join('\n')
}

const rowSection = ([name, row]: Named, plots: readonly Plot[]): string => {
  const drawn = plots.filter(plot => plot.row === name).map(({ title, file }) => `![${title}](${file})\n\n`)
  return `### ${name}\n\n${row.title}: \`${row.command}\`\n\n${drawn.join('')}${rowTable(row)}`
}

const notMeasured = ({ known, rows }: Results): string => {
  const missing = known.filter(name => rows[name] === undefined).map(name => `\`${name}\``)
  return missing.length === 0
    ? ''
    : `Not measured at this commit: ${missing.join(', ')}; \`npm run bench -- ROW\` measures one.\n\n`
}

/**
 * The page that says how fast the library is, as Markdown.
 *
 * @param source What it was measured into, as the page names it.
 * @param commentary What is to be said of it, written by hand.
 */
export const performancePage = (
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

${notMeasured(results)}${barsTable(rows)}

${commentary.trim()}

## Every row

${rows.map(row => rowSection(row, plots)).join('\n\n')}
`
}
