import type { Work } from './work.ts'

/** The work of each path. */
export type PathWork = { readonly [path: string]: Work }

/** A figure of a path, and the limit of this figure. */
export type Comparison = {
  readonly path: string
  readonly kind: keyof Work
  readonly received: number
  /** The figure when it was last accepted; 0 for a new path. */
  readonly limit: number
  readonly result: 'grown' | 'held' | 'less' | 'gone'
}

/**
 * The share by which a figure may differ from its limit. From run to run, bytes vary by at most half of this
 * share.
 */
const TOLERANCE: Readonly<Record<keyof Work, number>> = { bytes: 0.01, promises: 0, reads: 0 }

const compareToLimit = (kind: keyof Work, received: number, limit: number): Comparison['result'] => {
  if (received > limit * (1 + TOLERANCE[kind])) return 'grown'
  return received < limit * (1 - TOLERANCE[kind]) ? 'less' : 'held'
}

/**
 * Compares the work of the paths with their limits. A path that is no longer measured is reported as `gone`.
 */
export const compareWork = (
  measured: PathWork,
  limits: PathWork,
  kinds: readonly (keyof Work)[],
): Comparison[] =>
  Object.keys({ ...measured, ...limits }).flatMap(path =>
    kinds.map((kind): Comparison => {
      const received = measured[path]?.[kind]
      const limit = limits[path]?.[kind] ?? 0
      if (received === undefined) return { path, kind, received: 0, limit, result: 'gone' }
      return { path, kind, received, limit, result: compareToLimit(kind, received, limit) }
    }),
  )

const describeChange = ({ received, limit, result }: Comparison): string => {
  if (result === 'gone') return 'a limit without a path'
  const percent = (received / limit - 1) * 100
  return limit === 0 ? 'a path without a limit' : `${percent < 0 ? '' : '+'}${percent.toFixed(1)} %`
}

/** Formats a comparison as one line of text. */
export const comparisonLine = (comparison: Comparison): string => {
  const { path, kind, received, limit, result } = comparison
  const figures = `${received}`.padStart(9) + `${limit}`.padStart(9)
  const suffix = result === 'held' ? '' : `  ${result.toUpperCase()}, ${describeChange(comparison)}`
  return path.padEnd(38) + kind.padEnd(9) + figures + suffix
}
