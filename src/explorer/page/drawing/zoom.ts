import { type ReadonlySignal, signal } from '@preact/signals'
import { select } from 'd3-selection'
import { type D3ZoomEvent, zoom, zoomIdentity } from 'd3-zoom'
import type { Point } from './layout.ts'

/** How a drawing is moved and scaled: it follows what is drawn until somebody moves it. */
export type Zoom = {
  /** As the `transform` of what is drawn. */
  readonly transform: ReadonlySignal<string>
  /** Listens to drag, wheel and pinch, until the function that is answered is called. */
  readonly attach: (element: SVGSVGElement) => () => void
  readonly by: (factor: number) => void
  /** Shows all of some places, unless somebody moved the drawing. */
  readonly follow: (places: Iterable<Point>) => void
  /** Shows all of some places, and follows again. */
  readonly fit: (places: Iterable<Point>) => void
}

const MARGIN = 60
const LARGEST = 1.25

/** What shows all of some places in the middle of an element. */
const transformOf = (element: Element, places: Iterable<Point>) => {
  const points = [...places]
  const { width, height } = element.getBoundingClientRect()
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, right] = [Math.min(...xs), Math.max(...xs)]
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  const [across, down] = [right - left + 2 * MARGIN, bottom - top + 2 * MARGIN]
  const middle = zoomIdentity
    .translate(width / 2, height / 2)
    .scale(Math.min(width / across, height / down, LARGEST))
  return middle.translate(-(left + right) / 2, -(top + bottom) / 2)
}

/** The zoom of one drawing. */
export const createZoom = (): Zoom => {
  const transform = signal(zoomIdentity.toString())
  const drawing = signal<SVGSVGElement | undefined>(undefined)
  const isMoved = signal(false)
  const behaviour = zoom<SVGSVGElement, unknown>()
    .scaleExtent([0.1, 4])
    .on('zoom', (event: D3ZoomEvent<SVGSVGElement, unknown>) => {
      transform.value = event.transform.toString()
      if (event.sourceEvent !== null) isMoved.value = true
    })
  const follow = (places: Iterable<Point>): void => {
    const [element, points] = [drawing.value, [...places]]
    if (element === undefined || isMoved.value || points.length === 0) return
    behaviour.transform(select(element), transformOf(element, points))
  }
  return {
    transform,
    attach: element => {
      const selection = select(element).call(behaviour)
      drawing.value = element
      return () => {
        selection.on('.zoom', null)
        drawing.value = undefined
      }
    },
    by: factor => {
      isMoved.value = true
      if (drawing.value !== undefined) behaviour.scaleBy(select(drawing.value), factor)
    },
    follow,
    fit: places => {
      isMoved.value = false
      follow(places)
    },
  }
}
