import type { Spread } from '../../bench/measure/statistics.ts'

/** A point: where it lies, what was measured there, and its quartiles. */
export type Point = { readonly at: number; readonly figure: Spread }

/** A line by its name. */
export type Line = { readonly name: string; readonly points: readonly Point[] }

/** What is drawn: figures in a unit, from zero, over an axis of steps by ten or of equal ones. */
export type LineChart = {
  readonly title: string
  /** For who does not see it, and what it was made from. */
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

/** Both are told apart in either colours, and by their marks where there are none. */
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

const scaleOver = (low: number, high: number, from: number, to: number): Scale => {
  const span = high - low || 1
  return value => Math.round((from + ((value - low) / span) * (to - from)) * 10) / 10
}

/** The next of 1, 2 or 5 times a power of ten. */
const roundStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find(digit => digit * power >= least) ?? 10) * power
}

const powerText = (value: number): string => {
  const exponent = `${Math.round(Math.log10(value))}`
  return `10<tspan dy="-5" font-size="10">${exponent}</tspan>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const axisUp = (top: number, step: number, y: Scale): string[] =>
  Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step).map(
    value =>
      `<path class="grid" d="M${LEFT} ${y(value)}H${WIDTH - RIGHT}"/>` +
      `<text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${value.toLocaleString('en-US')}</text>`,
  )

const axisAcross = (places: readonly number[], textOf: (value: number) => string, x: Scale): string[] =>
  places.map(
    value => `<text x="${x(value)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${textOf(value)}</text>`,
  )

const drawnLine = ({ points }: Line, index: number, x: Scale, y: Scale): string[] => [
  `<polyline class="line-${index}" points="${points.map(({ at, figure }) => `${x(at)},${y(figure.median)}`).join(' ')}"/>`,
  ...points.map(
    ({ at, figure: { median, low, high } }) =>
      `<path class="quartiles-${index}" d="M${x(at)} ${y(low)}V${y(high)}"/>` +
      (index === 0
        ? `<circle class="mark-0" cx="${x(at)}" cy="${y(median)}" r="4"/>`
        : `<rect class="mark-1" x="${x(at) - 4}" y="${y(median) - 4}" width="8" height="8"/>`),
  ),
]

const legend = (lines: readonly Line[]): string[] =>
  lines.map(({ name }, index) => {
    const left = LEFT + index * 260
    return `<path class="line-${index}" d="M${left} 46h28"/><text x="${left + 36}" y="50">${escaped(name)}</text>`
  })

/** Draws up to two lines as an SVG file that is read in light and in dark colours. */
export const lineChart = ({ title, description, across, up, lines }: LineChart): string => {
  const points = lines.flatMap(line => line.points)
  const places = [...new Set(points.map(({ at }) => at))].toSorted((a, b) => a - b)
  const isLogarithmic = across.scale === 'logarithmic'
  const place = isLogarithmic ? Math.log10 : (value: number) => value
  const [first = 1, last = 1] = [places[0], places.at(-1)]
  const over = scaleOver(isLogarithmic ? place(first) : 0, place(last), LEFT + 12, WIDTH - RIGHT - 12)
  const x: Scale = value => over(place(value))
  const highest = Math.max(...points.map(({ figure }) => figure.high))
  const step = roundStep(highest / STEPS)
  const top = Math.ceil(highest / step) * step
  const y = scaleOver(0, top, HEIGHT - BOTTOM, TOP)
  // Narrow ones lie too close to each other to be named all.
  const named = isLogarithmic ? places : places.filter(value => value === first || value * 10 >= last)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>`,
    `<text class="title" x="${LEFT}" y="24">${escaped(title)}</text>`,
    ...legend(lines),
    ...axisUp(top, step, y),
    `<text transform="translate(16 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escaped(up)}</text>`,
    ...axisAcross(named, isLogarithmic ? powerText : value => `${value}`, x),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escaped(across.name)}</text>`,
    ...lines.flatMap((line, index) => drawnLine(line, index, x, y)),
    '</svg>',
    '',
  ].join('\n')
}
