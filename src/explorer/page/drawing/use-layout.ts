import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { SeenGraph } from '../response/seen-graph.ts'
import { createLayout, type Point } from './layout.ts'

const prefersReducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Returns the positions of the nodes. They move one step per frame until they settle, or settle immediately
 * if the user prefers reduced motion.
 */
export const useLayout = (graph: ReadonlySignal<SeenGraph>): ReadonlySignal<ReadonlyMap<string, Point>> => {
  const layout = useMemo(createLayout, [])
  const positions = useSignal<ReadonlyMap<string, Point>>(new Map())
  useSignalEffect(() => {
    layout.update(graph.value)
    let frame = 0
    const drawFrame = (): void => {
      const isMoving = layout.step()
      positions.value = layout.getPositions()
      if (isMoving) frame = requestAnimationFrame(drawFrame)
    }
    if (prefersReducedMotion()) while (layout.step());
    drawFrame()
    return () => cancelAnimationFrame(frame)
  })
  return positions
}
