import type { MeasuredRow, Results } from '../../bench/measure/results.ts'
import { type Line, type LineChart, lineChart } from './line-chart.ts'

/** A plot: the row that it is of, and the file that it is kept in. */
export type Plot = {
  readonly row: string
  readonly file: string
  readonly title: string
  readonly svg: string
}

type Look = Pick<LineChart, 'title' | 'across'>

const LOOKS: { readonly [row: string]: Look } = {
  growth: {
    title: 'What a read takes in a graph of any size',
    across: { name: 'edges in the graph', scale: 'logarithmic' },
  },
  width: {
    title: 'What a read of any width takes',
    across: { name: 'limit: photos that are answered', scale: 'linear' },
  },
}

const linesOf = ({ findings }: MeasuredRow): Line[] => {
  const drawn = findings.flatMap(({ drawn, figure }) => (drawn === undefined ? [] : { ...drawn, figure }))
  return [...new Set(drawn.map(({ line }) => line))].map(name => ({
    name,
    points: drawn.filter(({ line }) => line === name).toSorted((a, b) => a.at - b.at),
  }))
}

/** The plots of what was measured for them. */
export const plotsOf = ({ commit, rows }: Results): Plot[] =>
  Object.entries(LOOKS).flatMap(([name, look]) => {
    const row = rows[name]
    if (row === undefined) return []
    const description = `${row.title}. Medians and quartiles, from the row ${name}, commit ${commit}.`
    const svg = lineChart({ ...look, description, up: 'µs a read', lines: linesOf(row) })
    return [{ row: name, file: `images/performance-${name}.svg`, title: look.title, svg }]
  })
