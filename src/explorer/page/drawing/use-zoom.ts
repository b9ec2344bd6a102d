import { type ReadonlySignal, useSignal } from '@preact/signals'
import { select } from 'd3-selection'
import { zoom, zoomIdentity } from 'd3-zoom'
import type { RefObject } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { Point } from './layout.ts'

/** How a drawing is moved and scaled. */
export type Zoom = {
  /** As the `transform` of what is drawn. */
  readonly transform: ReadonlySignal<string>
  readonly by: (factor: number) => void
  /** Shows all of some places. */
  readonly fit: (places: Iterable<Point>) => void
}

const MARGIN = 60
const LARGEST = 1.6

/** Moves a drawing by drag, wheel and pinch, and on demand. Its middle is that of the element. */
export const useZoom = (element: RefObject<SVGSVGElement | null>): Zoom => {
  const transform = useSignal(zoomIdentity.toString())
  const behaviour = useMemo(
    () =>
      zoom<SVGSVGElement, unknown>()
        .scaleExtent([0.1, 4])
        .on('zoom', event => {
          transform.value = event.transform.toString()
        }),
    [],
  )
  useEffect(() => {
    if (element.current === null) return
    const drawing = select(element.current)
    const { width, height } = element.current.getBoundingClientRect()
    drawing.call(behaviour).call(behaviour.transform, zoomIdentity.translate(width / 2, height / 2))
    return () => void drawing.on('.zoom', null)
  }, [])
  return {
    transform,
    by: factor => {
      if (element.current !== null) behaviour.scaleBy(select(element.current), factor)
    },
    fit: places => {
      const [xs, ys] = [[...places].map(({ x }) => x), [...places].map(({ y }) => y)]
      if (element.current === null || xs.length === 0) return
      const { width, height } = element.current.getBoundingClientRect()
      const [left, right] = [Math.min(...xs), Math.max(...xs)]
      const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
      const scale = Math.min(
        width / (right - left + 2 * MARGIN),
        height / (bottom - top + 2 * MARGIN),
        LARGEST,
      )
      const middle = zoomIdentity.translate(width / 2, height / 2).scale(scale)
      behaviour.transform(select(element.current), middle.translate(-(left + right) / 2, -(top + bottom) / 2))
    },
  }
}
