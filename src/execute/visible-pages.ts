import type { EdgeEntry, EdgePosition, EdgeRange, EdgeSlice, NodeRecord } from '../store/contract.ts'
import { askRanges } from '../store/nothing.ts'
import type { Context } from './context.ts'
import {
  assertProgress,
  completed,
  NO_SLICE,
  type Page,
  type PagedLists,
  type PageShape,
  rangeOf,
  WHOLE,
} from './page.ts'
import { areLarge, type PassSizes, type ScanProgress } from './pass-size.ts'
import type { ScanLimit } from './scan-limit.ts'
import { sift } from './sift.ts'
import type { Walk } from './walk.ts'

/** One walk through one list: for its page, for its count, or for both at once. */
type Scan = {
  readonly range: EdgeRange
  /** How many visible entries complete the page, one more than it has; 0 if the walk is for the count alone. */
  readonly wanted: number
  /** Whether the whole list is counted. */
  readonly isCounting: boolean
  readonly visible: EdgeEntry[]
  /** Visible edges so far, those behind the page included. */
  seen: number
  /** Edges read so far. */
  read: number
  last: ScanProgress['last']
  end: EdgePosition | undefined
  /** Whether the list goes on behind `end`. */
  more: boolean
  /** Whether the scan limit ended the page. */
  isCut: boolean
  /** How many edges the list has, hidden ones included; nothing of it may show. */
  total: number | undefined
}

const startScan = (range: EdgeRange, wanted: number, isCounting: boolean, total?: number): Scan => ({
  range,
  wanted,
  isCounting,
  visible: [],
  seen: 0,
  read: 0,
  last: { size: range.limit, seen: 0 },
  end: range.from,
  more: total !== 0,
  isCut: false,
  total,
})

const isOpen = ({ more, isCut, isCounting, visible, wanted }: Scan): boolean =>
  more && !isCut && (isCounting || visible.length < wanted)

/**
 * Takes what a pass read of one list, and returns how many of the edges count as examined: for the page those up to the
 * one that completes it, for the count all.
 */
const take = (scan: Scan, slice: EdgeSlice, isVisible: (index: number) => boolean): number => {
  assertProgress(scan.end, slice)
  let examined = 0
  let seen = 0
  for (const [index, entry] of slice.entries.entries()) {
    if (scan.visible.length < scan.wanted) examined++
    if (scan.isCounting) examined++
    if (!isVisible(index)) continue
    seen++
    if (scan.visible.length < scan.wanted) scan.visible.push(entry)
  }
  scan.seen += seen
  scan.read += slice.entries.length
  scan.last = { size: scan.last.size, seen }
  scan.end = slice.end
  scan.more = slice.more
  scan.total ??= slice.total
  return examined
}

/** Keeps what the viewer may see of what was read of each list: one pass. Returns whether it read very much. */
function* pass(
  { judge, scan: limit }: Context,
  { selection, from, shape }: PagedLists,
  scans: readonly Scan[],
  slices: readonly EdgeSlice[],
): Walk<boolean> {
  const nodes: NodeRecord[] = []
  for (const slice of slices) for (const { node } of slice.entries) nodes.push(node)
  const verdicts = yield* sift(judge, nodes, selection)
  let start = 0
  let examined = 0
  for (const [at, scan] of scans.entries()) {
    const slice = slices[at] ?? NO_SLICE
    const first = start
    examined += take(scan, slice, index => verdicts[first + index] === true)
    start += slice.entries.length
  }
  limit.count(from, shape.name, examined)
  // Only who reads on needs to know.
  return scans.some(isOpen) && areLarge(nodes)
}

/** How a walk stands, for deciding how far the next pass goes. */
const progressOf = ({ wanted, isCounting, visible, seen, read, last, total }: Scan): ScanProgress => ({
  missing: isCounting ? Number.POSITIVE_INFINITY : wanted - visible.length,
  seen,
  read,
  last,
  total,
})

/** What to read next of each list: nothing of one that ends at the scan limit. */
const nextRanges = (
  limit: ScanLimit,
  { isCuttable }: PagedLists,
  scans: readonly Scan[],
  sizes: readonly number[],
): EdgeRange[] =>
  scans.flatMap((scan, index) => {
    const size = Math.min(sizes[index] ?? 1, isCuttable ? limit.left : Math.max(1, limit.left))
    scan.isCut = size === 0
    scan.last = { size, seen: 0 }
    return scan.isCut ? [] : [{ ...scan.range, from: scan.end, limit: size, count: false }]
  })

/** Reads on in all lists that are open: passes for all of them at once. */
function* refill(context: Context, lists: PagedLists, scans: readonly Scan[], wasLarge: boolean): Walk<void> {
  let isLarge = wasLarge
  for (let open = scans.filter(isOpen); open.length > 0; open = open.filter(isOpen)) {
    const sizes = context.passSizes.next(open.map(progressOf), isLarge)
    const ranges = nextRanges(context.scan, lists, open, sizes)
    if (ranges.length === 0) continue
    const slices = yield* completed(ranges, (yield askRanges(ranges)).ranges)
    isLarge = yield* pass(context, lists, open.filter(isOpen), slices)
  }
}

const isWhole = ({ cursor, minTime, maxTime }: PagedLists['window']): boolean =>
  cursor === undefined && minTime === undefined && maxTime === undefined

/** Refuses counts that are known to go beyond the limit, before their lists are read. */
const assertCountable = (limit: ScanLimit, counting: readonly Scan[]): void => {
  const sum = counting.reduce((all, { total = 0, read }) => all + Math.max(0, total - read), 0)
  limit.assertFits(sum)
}

const pageOf = ({ shape, window }: PagedLists, scan: Scan, count: Scan | undefined): Page => {
  const { visible, end, isCut } = scan
  const entries = visible.slice(0, shape.limit)
  return {
    entries: window.cursor === 'before' ? entries.reverse() : entries,
    more: isCut || visible.length > shape.limit,
    total: count?.seen,
    examined: isCut ? end : undefined,
  }
}

/** What a page reads first of a list under a policy. */
export const firstSize = (sizes: PassSizes, { limit }: Pick<PageShape, 'limit'>, left: number): number =>
  Math.max(1, Math.min(sizes.first(limit), left))

/**
 * Reads a page of what the viewer may see for each source: passes of one range wave and at most one test wave for all of
 * them, until every page is full or its list at an end. `first` is what was answered already to the ranges of the first
 * pass.
 *
 * @throws GraphError `too_costly` beyond the scan limit of the call, unless the page may end there.
 */
export function* readVisiblePages(
  context: Context,
  lists: PagedLists,
  first?: readonly EdgeSlice[],
): Walk<Page[]> {
  const { shape, window, sources } = lists
  if (sources.length === 0) return []
  const { scan: limit } = context
  const size = firstSize(context.passSizes, shape, limit.left)
  const isShared = shape.summary && isWhole(window)
  // A limit of 0 requests the count alone.
  const wanted = shape.limit === 0 ? 0 : shape.limit + 1
  const pages = sources.map(source => startScan(rangeOf(source, shape, window, size), wanted, isShared))
  const ranges = pages.map(({ range }) => range)
  const wasLarge = yield* pass(context, lists, pages, first ?? (yield askRanges(ranges)).ranges)
  const counts =
    shape.summary && !isShared
      ? pages.map(({ range, total }) => startScan(rangeOf(range.source, shape, WHOLE), 0, true, total))
      : []
  assertCountable(limit, isShared ? pages : counts)
  yield* refill(context, lists, [...pages, ...counts], wasLarge)
  if (pages.some(({ isCut }) => isCut)) {
    context.remark(`The scan limit ended a page of ${shape.name}: it may be short, and its cursor goes on`)
  }
  return pages.map((page, index) => pageOf(lists, page, isShared ? page : counts[index]))
}
