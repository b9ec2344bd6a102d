import type { Spread } from '../../bench/measure/statistics.ts'

/** A point: its position, its median and its quartiles. */
export type Point = { readonly at: number; readonly figure: Spread }

/** A line and its name. */
export type Line = { readonly name: string; readonly points: readonly Point[] }

/** A chart. Its vertical axis begins at zero. Its horizontal axis has logarithmic or linear steps. */
export type LineChart = {
  readonly title: string
  /** The text alternative, which names the source of the figures. */
  readonly description: string
  readonly across: { readonly name: string; readonly scale: 'logarithmic' | 'linear' }
  readonly up: string
  readonly lines: readonly Line[]
}

const WIDTH = 720
const HEIGHT = 360
const LEFT = 64
const RIGHT = 24
const TOP = 64
const BOTTOM = 52
const STEPS = 5
const LEGEND_WIDTH = 290

/** The styles for light and dark colour schemes. Lines differ in colour, marks and dashes. */
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 15px }
  .paper { fill: #ffffff }
  .grid { stroke: #d1d9e0 }
  .line-0, .line-1 { fill: none; stroke-width: 2 }
  .line-0 { stroke: #0a58ca } .line-1 { stroke: #b3470f; stroke-dasharray: 6 3 }
  .mark-0 { fill: #0a58ca } .mark-1 { fill: #b3470f }
  .quartiles-0 { stroke: #0a58ca } .quartiles-1 { stroke: #b3470f }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .paper { fill: #0d1117 }
    .grid { stroke: #30363d }
    .line-0, .quartiles-0 { stroke: #79c0ff } .line-1, .quartiles-1 { stroke: #ffa657 }
    .mark-0 { fill: #79c0ff } .mark-1 { fill: #ffa657 }
  }
`

type Scale = (value: number) => number

const createScale = (low: number, high: number, from: number, to: number): Scale => {
  const span = high - low || 1
  return value => Math.round((from + ((value - low) / span) * (to - from)) * 10) / 10
}

/** Returns the smallest number that is at least `least`, and is 1, 2 or 5 times a power of ten. */
const roundStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find(digit => digit * power >= least) ?? 10) * power
}

const MILLION = 1_000_000

const formatSize = (value: number): string =>
  value < MILLION ? value.toLocaleString('en-US') : `${(value / MILLION).toLocaleString('en-US')} million`

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const drawYAxis = (top: number, step: number, y: Scale): string[] =>
  Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step).map(
    value =>
      `<path class="grid" d="M${LEFT} ${y(value)}H${WIDTH - RIGHT}"/>` +
      `<text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${value.toLocaleString('en-US')}</text>`,
  )

const drawXAxis = (positions: readonly number[], x: Scale): string[] =>
  positions.map(
    value =>
      `<text x="${x(value)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${formatSize(value)}</text>`,
  )

const drawLine = ({ points }: Line, index: number, x: Scale, y: Scale): string[] => [
  `<polyline class="line-${index}" points="${points.map(({ at, figure }) => `${x(at)},${y(figure.median)}`).join(' ')}"/>`,
  ...points.map(
    ({ at, figure: { median, low, high } }) =>
      `<path class="quartiles-${index}" d="M${x(at)} ${y(low)}V${y(high)}"/>` +
      (index === 0
        ? `<circle class="mark-0" cx="${x(at)}" cy="${y(median)}" r="4"/>`
        : `<rect class="mark-1" x="${x(at) - 4}" y="${y(median) - 4}" width="8" height="8"/>`),
  ),
]

const drawLegend = (lines: readonly Line[]): string[] =>
  lines.map(({ name }, index) => {
    const left = LEFT + index * LEGEND_WIDTH
    return `<path class="line-${index}" d="M${left} 46h28"/><text x="${left + 36}" y="50">${escapeXml(name)}</text>`
  })

/** Draws a chart of up to two lines as an SVG file, for light and dark colour schemes. */
export const drawLineChart = ({ title, description, across, up, lines }: LineChart): string => {
  const points = lines.flatMap(line => line.points)
  const positions = [...new Set(points.map(({ at }) => at))].toSorted((a, b) => a - b)
  const isLogarithmic = across.scale === 'logarithmic'
  const toPosition = isLogarithmic ? Math.log10 : (value: number) => value
  const [first = 1, last = 1] = [positions[0], positions.at(-1)]
  const over = createScale(
    isLogarithmic ? toPosition(first) : 0,
    toPosition(last),
    LEFT + 12,
    WIDTH - RIGHT - 12,
  )
  const x: Scale = value => over(toPosition(value))
  const highest = Math.max(...points.map(({ figure }) => figure.high))
  const step = roundStep(highest / STEPS)
  const top = Math.ceil(highest / step) * step
  const y = createScale(0, top, HEIGHT - BOTTOM, TOP)
  // On a linear axis, small values are too close together to label each of them.
  const named = isLogarithmic ? positions : positions.filter(value => value === first || value * 10 >= last)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="description">${escapeXml(description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>`,
    `<text class="title" x="${LEFT}" y="24">${escapeXml(title)}</text>`,
    ...drawLegend(lines),
    ...drawYAxis(top, step, y),
    `<text transform="translate(16 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escapeXml(up)}</text>`,
    ...drawXAxis(named, x),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escapeXml(across.name)}</text>`,
    ...lines.flatMap((line, index) => drawLine(line, index, x, y)),
    '</svg>',
    '',
  ].join('\n')
}
