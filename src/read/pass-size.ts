import type { JsonValue } from '../base/json.ts'
import type { NodeRecord } from '../store/contract.ts'

/** The progress of the scan of one list under a policy. */
export type ScanProgress = {
  /** The number of visible edges that the page still needs, or infinity if the whole list is counted. */
  readonly missingCount: number
  /** The number of visible edges among the edges that were read so far. */
  readonly visibleCount: number
  readonly readCount: number
  /** The number of edges that the last pass requested, and the number of visible edges among them. */
  readonly lastPass: { readonly size: number; readonly visibleCount: number }
  /** The size of the list, if it is known. */
  readonly total: number | undefined
}

/** Decides how many edges a pass reads. Results do not depend on this number. */
export type PassSizes = {
  /** Returns the size of the first pass of a page. */
  chooseFirstSize(limit: number): number
  /**
   * Returns the size of the next pass for each list. `hadLargeRecords` is true if the last pass returned too
   * many bytes.
   */
  chooseNextSizes(scans: readonly ScanProgress[], hadLargeRecords: boolean): readonly number[]
}

/** Returns how many edges of a filtered list the first pass reads. */
export const chooseFirstPassSize = (
  sizes: PassSizes,
  { limit }: { readonly limit: number },
  remainingEdgeCount: number,
): number => Math.max(1, Math.min(sizes.chooseFirstSize(limit), remainingEdgeCount))

/** The maximum number of edges of a pass, for all lists together. */
const MAX_PASS_SIZE = 10_000
/** The size of further passes of a count if the list has grown since its size was read. */
const GROWN_LIST_PASS_SIZE = 100
const GROWTH_AFTER_EMPTY_PASS = 4

/**
 * Estimates how many edges to read next. The estimate follows from the share of visible edges so far, plus 50
 * percent, and is at least the number of edges that were read so far. If the last pass found no visible edge,
 * the next pass is four times as large.
 */
const estimatePassSize = ({
  missingCount,
  visibleCount,
  readCount,
  lastPass,
  total,
}: ScanProgress): number => {
  if (missingCount === Number.POSITIVE_INFINITY) {
    if (total === undefined) return MAX_PASS_SIZE
    return total > readCount ? total - readCount : GROWN_LIST_PASS_SIZE
  }
  if (lastPass.visibleCount === 0) return GROWTH_AFTER_EMPTY_PASS * lastPass.size
  const visibleShare = (visibleCount + 1) / (readCount + 2)
  return Math.max(Math.ceil((1.5 * missingCount) / visibleShare), readCount)
}

/** The sizes that fill a page in few passes. */
export const DEFAULT_PASS_SIZES: PassSizes = {
  // One additional edge shows whether the list has more edges than the page.
  chooseFirstSize: limit => limit + 1,
  chooseNextSizes(scans, hadLargeRecords) {
    const sizes = hadLargeRecords
      ? scans.map(({ lastPass }) => Math.ceil(lastPass.size / 2))
      : scans.map(scan => Math.min(MAX_PASS_SIZE, estimatePassSize(scan)))
    const sum = sizes.reduce((total, size) => total + size, 0)
    const scale = Math.min(1, MAX_PASS_SIZE / sum)
    return sizes.map(size => Math.max(1, Math.floor(size * scale)))
  },
}

/** The approximate size of a pass, in bytes, above which the next pass reads fewer edges. */
const LARGE_PASS_BYTES = 16 * 2 ** 20
/** The number of records that are measured. Measuring all records would take as long as reading them. */
const SAMPLE_SIZE = 64
const SCALAR_BYTES = 8

/** Estimates the bytes of a value. It stops counting above `maxBytes`. */
const estimateBytes = (value: JsonValue | undefined, maxBytes: number): number => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return SCALAR_BYTES
  let bytes = SCALAR_BYTES
  for (const member of Object.values(value)) {
    if (bytes > maxBytes) return bytes
    bytes += estimateBytes(member, maxBytes - bytes)
  }
  return bytes
}

/**
 * Whether the records of a pass are so large that the next pass must read fewer records. The size is
 * estimated from a sample.
 */
export const areRecordsLarge = (records: readonly NodeRecord[]): boolean => {
  const stride = Math.max(1, Math.floor(records.length / SAMPLE_SIZE))
  const maxBytes = LARGE_PASS_BYTES / stride
  let bytes = 0
  for (let index = 0; index < records.length && bytes <= maxBytes; index += stride) {
    bytes += estimateBytes(records[index]?.fields, maxBytes - bytes)
  }
  return bytes > maxBytes
}
