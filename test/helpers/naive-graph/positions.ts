import type { TimeOrder } from './world.ts'

/** A position in an edge list. */
export type Position = { readonly time: number; readonly target: string }

/** Digits are compared as numbers, and named ids as text, since they are ASCII. */
const toComparable = (target: string): bigint | string => (/^\d/.test(target) ? BigInt(target) : target)

const compareTargets = (a: bigint | string, b: bigint | string): number => (a < b ? -1 : a > b ? 1 : 0)

const ascending = (a: Position, b: Position): number =>
  a.time - b.time || compareTargets(toComparable(a.target), toComparable(b.target))

/** Compares positions in an order: by time, then by the target. */
export const comparePositions = (order: TimeOrder, a: Position, b: Position): number =>
  order === 'chronological' ? ascending(a, b) : ascending(b, a)

/** Returns the milliseconds of a boundary, or `undefined` if it is not a date. */
const parseBoundary = (boundary: number | string): number | undefined => {
  const text = `${boundary}`
  const time = /^-?\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** Whether a boundary is a date or undefined. */
export const isValidBoundary = (boundary: number | string | undefined): boolean =>
  boundary === undefined || parseBoundary(boundary) !== undefined

/** Whether a time is within two inclusive boundaries. An end of whole seconds includes its last second. */
export const isWithin = (
  time: number,
  since: number | string | undefined,
  until: number | string | undefined,
): boolean => {
  const first = since === undefined ? undefined : parseBoundary(since)
  const last = until === undefined ? undefined : parseBoundary(until)
  const end = last !== undefined && last % 1000 === 0 ? last + 999 : last
  return time >= (first ?? time) && time <= (end ?? time)
}
