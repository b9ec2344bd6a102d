import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { select } from 'd3-selection'
import { type D3ZoomEvent, zoom, zoomIdentity } from 'd3-zoom'
import type { Point } from './layout.ts'

/** The translation and scale of a drawing. It follows the content until the user moves it. */
export type Zoom = {
  /** The value of the `transform` attribute. */
  readonly transform: ReadonlySignal<string>
  readonly scale: ReadonlySignal<number>
  /** Listens for drag, wheel and pinch until the returned function is called. */
  readonly attach: (element: SVGSVGElement) => () => void
  readonly scaleBy: (factor: number) => void
  /** Shows all positions, unless the user has moved the drawing. */
  readonly fitUnlessMoved: (positions: Iterable<Point>) => void
  /** Shows all positions, and follows them again. */
  readonly fitAll: (positions: Iterable<Point>) => void
}

/** The space for the labels of the outermost nodes. */
const [HORIZONTAL_MARGIN, VERTICAL_MARGIN] = [90, 50]
const MAX_SCALE = 1.25

/** Computes the transform that shows all positions in the middle of an element. */
const createFitTransform = (element: Element, positions: Iterable<Point>) => {
  const points = [...positions]
  const { width, height } = element.getBoundingClientRect()
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, right] = [Math.min(...xs), Math.max(...xs)]
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  const contentWidth = right - left + 2 * HORIZONTAL_MARGIN
  const contentHeight = bottom - top + 2 * VERTICAL_MARGIN
  const centreTransform = zoomIdentity
    .translate(width / 2, height / 2)
    .scale(Math.min(width / contentWidth, height / contentHeight, MAX_SCALE))
  return centreTransform.translate(-(left + right) / 2, -(top + bottom) / 2)
}

/** Creates the zoom of one drawing. */
export const createZoom = (): Zoom => {
  const currentTransform = signal(zoomIdentity)
  const attachedElement = signal<SVGSVGElement | undefined>(undefined)
  const isMoved = signal(false)
  const zoomBehaviour = zoom<SVGSVGElement, unknown>()
    .scaleExtent([0.1, 4])
    .on('zoom', (event: D3ZoomEvent<SVGSVGElement, unknown>) => {
      currentTransform.value = event.transform
      if (event.sourceEvent !== null) isMoved.value = true
    })
  const fitUnlessMoved = (positions: Iterable<Point>): void => {
    const [element, points] = [attachedElement.value, [...positions]]
    if (element === undefined || isMoved.value || points.length === 0) return
    zoomBehaviour.transform(select(element), createFitTransform(element, points))
  }
  return {
    transform: computed(() => currentTransform.value.toString()),
    scale: computed(() => currentTransform.value.k),
    attach: element => {
      const selection = select(element).call(zoomBehaviour)
      attachedElement.value = element
      return () => {
        selection.on('.zoom', null)
        attachedElement.value = undefined
      }
    },
    scaleBy: factor => {
      isMoved.value = true
      if (attachedElement.value !== undefined) zoomBehaviour.scaleBy(select(attachedElement.value), factor)
    },
    fitUnlessMoved,
    fitAll: positions => {
      isMoved.value = false
      fitUnlessMoved(positions)
    },
  }
}
