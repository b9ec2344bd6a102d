import type { JsonValue } from '../base/json.ts'
import type { NodeRecord } from '../store/contract.ts'

/** What a walk through one list under a policy has seen so far. */
export type ScanProgress = {
  /** How many visible edges are still missing to complete the page; infinite if the whole list is counted. */
  readonly missing: number
  /** How many edges are visible of those read. */
  readonly seen: number
  readonly read: number
  /** How many edges the last pass requested, and how many of them are visible. */
  readonly last: { readonly size: number; readonly seen: number }
  /** The size of the list, if it is known. */
  readonly total: number | undefined
}

/** Decides how many edges a pass reads. No result depends on it. */
export type PassSizes = {
  /** For the first pass of a page. */
  first(limit: number): number
  /** For the next pass, by list. `isLarge` says whether the last one returned more than is good for memory. */
  next(scans: readonly ScanProgress[], isLarge: boolean): readonly number[]
}

/** The edges of a pass, over all of its lists. */
const LARGEST_PASS = 10_000
/** A list that grew since its size was read is read on in steps of this many. */
const STEP = 100
const GROWTH = 4

/**
 * How much further to read: by the share seen so far with half as much again, and at least twice as far as before; four
 * times as far as the last pass if that showed nothing.
 */
const wantedOf = ({ missing, seen, read, last, total }: ScanProgress): number => {
  if (missing === Number.POSITIVE_INFINITY) {
    if (total === undefined) return LARGEST_PASS
    return total > read ? total - read : STEP
  }
  if (last.seen === 0) return GROWTH * last.size
  const share = (seen + 1) / (read + 2)
  return Math.max(Math.ceil((1.5 * missing) / share), read)
}

/** The sizes by which a page is full after few passes. */
export const PASS_SIZES: PassSizes = {
  // One edge more than the page has, to know whether it goes on.
  first: limit => limit + 1,
  next(scans, isLarge) {
    const wanted = isLarge
      ? scans.map(({ last }) => Math.ceil(last.size / 2))
      : scans.map(scan => Math.min(LARGEST_PASS, wantedOf(scan)))
    const sum = wanted.reduce((total, size) => total + size, 0)
    const share = Math.min(1, LARGEST_PASS / sum)
    return wanted.map(size => Math.max(1, Math.floor(size * share)))
  },
}

/** What a pass may return before the next one reads less: bytes, about. */
const LARGE = 16 * 2 ** 20
/** How many records are measured: to measure all would take as long as to read them. */
const MEASURED = 64
const SCALAR_BYTES = 8

/** Roughly the bytes of a value, counted no further than `most`. */
const bytesOf = (value: JsonValue | undefined, most: number): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return SCALAR_BYTES
  let bytes = SCALAR_BYTES
  for (const member of Object.values(value)) {
    if (bytes > most) return bytes
    bytes += bytesOf(member, most - bytes)
  }
  return bytes
}

/** Whether the records of a pass are so large that the next one has to read fewer, by a sample of them. */
export const areLarge = (records: readonly NodeRecord[]): boolean => {
  const stride = Math.max(1, Math.floor(records.length / MEASURED))
  const most = LARGE / stride
  let bytes = 0
  for (let index = 0; index < records.length && bytes <= most; index += stride) {
    bytes += bytesOf(records[index]?.fields, most - bytes)
  }
  return bytes > most
}
