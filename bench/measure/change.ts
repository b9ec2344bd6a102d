import type { MeasuredRow } from './results.ts'
import { type Spread, spreadOf } from './statistics.ts'

/** The measurements of one process. */
export type Rows = { readonly [name: string]: MeasuredRow }

/** A figure of two revisions, and the old figure as a multiple of the new one. */
export type Change = {
  readonly label: string
  readonly unit: string
  readonly old: Spread
  readonly now: Spread
  readonly ratio: Spread
}

/**
 * Computes how the figures of a row changed, from measurements in pairs of processes. Ratios are computed
 * within each pair.
 */
export const compareRows = (name: string, olds: readonly Rows[], nows: readonly Rows[]): Change[] => {
  const medians = (runs: readonly Rows[], index: number) =>
    runs.map(rows => rows[name]?.findings[index]?.figure.median ?? Number.NaN)
  return (nows[0]?.[name]?.findings ?? []).map(({ label, unit }, index) => {
    const [old, now] = [medians(olds, index), medians(nows, index)]
    const ratios = old.map((figure, pair) => figure / (now[pair] ?? Number.NaN))
    return { label, unit, old: spreadOf(old), now: spreadOf(now), ratio: spreadOf(ratios) }
  })
}
