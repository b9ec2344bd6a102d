import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Met } from '../answer/met.ts'
import { createLayout, type Point } from './layout.ts'

const wantsNoMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** The places of what was met, a step on in every frame until they settle; settled at once where no motion is wanted. */
export const useLayout = (met: ReadonlySignal<Met>): ReadonlySignal<ReadonlyMap<string, Point>> => {
  const layout = useMemo(createLayout, [])
  const places = useSignal<ReadonlyMap<string, Point>>(new Map())
  useSignalEffect(() => {
    layout.take(met.value)
    let frame = 0
    const go = (): void => {
      const goesOn = layout.step()
      places.value = layout.places()
      if (goesOn) frame = requestAnimationFrame(go)
    }
    if (wantsNoMotion()) while (layout.step());
    go()
    return () => cancelAnimationFrame(frame)
  })
  return places
}
