import type { Work } from './work.ts'

/** What each path takes. */
export type Taken = { readonly [path: string]: Work }

/** A figure of a path beside its limit. */
export type Comparison = {
  readonly path: string
  readonly what: keyof Work
  readonly came: number
  /** What it was when it was last accepted; 0 for a path that is new. */
  readonly limit: number
  readonly verdict: 'grown' | 'held' | 'less' | 'gone'
}

/** The share by which a figure may be off its limit: bytes are half of that off at most, from run to run. */
const ROOM: Readonly<Record<keyof Work, number>> = { bytes: 0.01, promises: 0, reads: 0 }

const verdictOn = (what: keyof Work, came: number, limit: number): Comparison['verdict'] => {
  if (came > limit * (1 + ROOM[what])) return 'grown'
  return came < limit * (1 - ROOM[what]) ? 'less' : 'held'
}

/** Holds what paths take to what they took. A path that nobody measures any more is gone, and its limit holds nothing. */
export const compareWork = (taken: Taken, limits: Taken, kinds: readonly (keyof Work)[]): Comparison[] =>
  Object.keys({ ...taken, ...limits }).flatMap(path =>
    kinds.map((what): Comparison => {
      const came = taken[path]?.[what]
      const limit = limits[path]?.[what] ?? 0
      if (came === undefined) return { path, what, came: 0, limit, verdict: 'gone' }
      return { path, what, came, limit, verdict: verdictOn(what, came, limit) }
    }),
  )

const change = ({ came, limit, verdict }: Comparison): string => {
  if (verdict === 'gone') return 'a limit without a path'
  const percent = (came / limit - 1) * 100
  return limit === 0 ? 'a path without a limit' : `${percent < 0 ? '' : '+'}${percent.toFixed(1)} %`
}

/** A comparison as a line. */
export const comparisonLine = (comparison: Comparison): string => {
  const { path, what, came, limit, verdict } = comparison
  const figures = `${came}`.padStart(9) + `${limit}`.padStart(9)
  const told = verdict === 'held' ? '' : `  ${verdict.toUpperCase()}, ${change(comparison)}`
  return path.padEnd(38) + what.padEnd(9) + figures + told
}
