import type { EdgeRecord } from '../../../src/store/contract.ts'
import type { Order } from './world.ts'

/** A place in an edge list. */
export type Position = { readonly time: number; readonly target: string }

const ascending = (a: Position, b: Position): number =>
  a.time - b.time || (BigInt(a.target) < BigInt(b.target) ? -1 : BigInt(a.target) > BigInt(b.target) ? 1 : 0)

/** Compares places in an order: time first, then the target as a number. */
export const comparePlaces = (order: Order, a: Position, b: Position): number =>
  order === 'chronological' ? ascending(a, b) : ascending(b, a)

/** One edge list, whole and in order. */
export const listOf = (
  edges: readonly EdgeRecord[],
  source: string,
  name: string,
  order: Order,
): readonly EdgeRecord[] =>
  edges
    .filter(edge => edge.source === source && edge.name === name)
    .toSorted((a, b) => comparePlaces(order, a, b))

/** Milliseconds of a boundary, or undefined where it is no date. */
const timeOf = (boundary: number | string): number | undefined => {
  const text = `${boundary}`
  const time = /^-?\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** Whether a boundary can be read. */
export const isBoundary = (boundary: number | string | undefined): boolean =>
  boundary === undefined || timeOf(boundary) !== undefined

/** Whether a time is within two boundaries, both inclusive; one of whole seconds reaches to the end of its second. */
export const isWithin = (
  time: number,
  since: number | string | undefined,
  until: number | string | undefined,
): boolean => {
  const first = since === undefined ? undefined : timeOf(since)
  const last = until === undefined ? undefined : timeOf(until)
  const end = last !== undefined && last % 1000 === 0 ? last + 999 : last
  return time >= (first ?? time) && time <= (end ?? time)
}
