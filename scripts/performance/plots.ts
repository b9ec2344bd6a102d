import type { MeasuredRow, Results } from '../../bench/measure/results.ts'
import { drawLineChart, type Line, type LineChart } from './line-chart.ts'

/** A plot of a row, and the file that contains the plot. */
export type Plot = {
  readonly row: string
  readonly file: string
  readonly title: string
  /** Whether the plot is at the beginning of the page instead of in its row's section. */
  readonly isHeadline: boolean
  readonly svg: string
}

type PlotStyle = Pick<LineChart, 'title' | 'across'> & {
  readonly isHeadline?: boolean
  /** The legend text of each line, by the line's name in the results. */
  readonly legend: { readonly [line: string]: string }
}

const PLOT_STYLES: { readonly [row: string]: PlotStyle } = {
  growth: {
    title: 'How long a query takes in a small and in a large graph',
    across: { name: 'number of edges in the graph', scale: 'logarithmic' },
    isHeadline: true,
    legend: { '71 nodes': 'a query for 71 nodes in 4 levels', 'a page of 25': 'a page of 25 entries' },
  },
  width: {
    title: 'How long a query takes with small and with large pages',
    across: { name: 'limit: number of photos in the page', scale: 'linear' },
    legend: { 'photos with comments': 'photos with comments and authors', 'a page': 'photos only' },
  },
}

const UNIT = 'microseconds per query (bars: quartiles)'

const createLines = ({ findings }: MeasuredRow, legend: PlotStyle['legend']): Line[] => {
  const drawn = findings.flatMap(({ plotPoint, figure }) =>
    plotPoint === undefined ? [] : { ...plotPoint, figure },
  )
  return [...new Set(drawn.map(({ line }) => line))].map(name => ({
    name: legend[name] ?? name,
    points: drawn.filter(({ line }) => line === name).toSorted((a, b) => a.at - b.at),
  }))
}

/** Creates the plots of the measured rows. */
export const createPlots = ({ commit, rows }: Results): Plot[] =>
  Object.entries(PLOT_STYLES).flatMap(([name, { legend, isHeadline = false, title, across }]) => {
    const row = rows[name]
    if (row === undefined) return []
    const description = `${row.title}. Medians and quartiles, from the row ${name}, commit ${commit}.`
    const svg = drawLineChart({ title, across, description, up: UNIT, lines: createLines(row, legend) })
    return [{ row: name, file: `images/performance-${name}.svg`, title, isHeadline, svg }]
  })
