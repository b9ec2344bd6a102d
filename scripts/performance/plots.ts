import type { MeasuredRow, Results } from '../../bench/measure/results.ts'
import { drawLineChart, type Line, type LineChart } from './line-chart.ts'

/** A plot: its row, and its file. */
export type Plot = {
  readonly row: string
  readonly file: string
  readonly title: string
  readonly svg: string
}

type PlotStyle = Pick<LineChart, 'title' | 'across'>

const PLOT_STYLES: { readonly [row: string]: PlotStyle } = {
  growth: {
    title: 'The time of a read in a graph of any size',
    across: { name: 'edges in the graph', scale: 'logarithmic' },
  },
  width: {
    title: 'The time of a read of any width',
    across: { name: 'limit: photos that are answered', scale: 'linear' },
  },
}

const createLines = ({ findings }: MeasuredRow): Line[] => {
  const drawn = findings.flatMap(({ plotPoint, figure }) =>
    plotPoint === undefined ? [] : { ...plotPoint, figure },
  )
  return [...new Set(drawn.map(({ line }) => line))].map(name => ({
    name,
    points: drawn.filter(({ line }) => line === name).toSorted((a, b) => a.at - b.at),
  }))
}

/** Creates the plots of the measured rows. */
export const createPlots = ({ commit, rows }: Results): Plot[] =>
  Object.entries(PLOT_STYLES).flatMap(([name, style]) => {
    const row = rows[name]
    if (row === undefined) return []
    const description = `${row.title}. Medians and quartiles, from the row ${name}, commit ${commit}.`
    const svg = drawLineChart({ ...style, description, up: 'µs a read', lines: createLines(row) })
    return [{ row: name, file: `images/performance-${name}.svg`, title: style.title, svg }]
  })
