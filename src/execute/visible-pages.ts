import type { EdgeEntry, EdgePosition, EdgeRange, EdgeSlice, NodeRecord } from '../store/contract.ts'
import { askRanges } from '../store/nothing.ts'
import type { Context } from './context.ts'
import {
  assertProgress,
  NO_SLICE,
  type Page,
  type PagedLists,
  type PageShape,
  rangeOf,
  siftedLimit,
  WHOLE,
} from './page.ts'
import type { ScanBudget } from './scan-budget.ts'
import { sift } from './sift.ts'
import type { Walk } from './walk.ts'

/** One way through one list: for its page, or for its count. */
type Scan = {
  readonly range: EdgeRange
  /** How many visible entries are looked for: one more than the page has, or all. */
  wanted: number
  readonly visible: EdgeEntry[]
  /** Edges read so far. */
  read: number
  /** What it took of the budget so far. */
  taken: number
  end: EdgePosition | undefined
  /** Whether the list goes on behind `end`. */
  more: boolean
  /** Whether the budget ended before enough was found. */
  isCut: boolean
  /** How many edges there are to be read, hidden ones included; nothing of it may show. */
  total: number | undefined
}

const startScan = (range: EdgeRange, wanted: number, total?: number): Scan => ({
  range,
  wanted,
  visible: [],
  read: 0,
  taken: 0,
  end: range.from,
  more: total !== 0,
  isCut: false,
  total,
})

const isOpen = ({ more, isCut, visible, wanted }: Scan): boolean => more && !isCut && visible.length < wanted

/** What a scan wants that counts. */
const ALL = Number.POSITIVE_INFINITY

/** A list that grew since its total was read is read on in steps of this many. */
const STEP = 100

/** How much further to look: by the share seen so far with half as much again, and at least twice as far as before. */
const reach = ({ visible, wanted, read, total = 0 }: Scan): number => {
  if (wanted === ALL) return total > read ? total - read : STEP
  const share = (visible.length + 1) / (read + 2)
  return Math.max(Math.ceil((1.5 * (wanted - visible.length)) / share), read)
}

/** Takes what was read of each list, and keeps what may be seen: one pass. */
function* pass(
  { judge }: Context,
  { selection }: PagedLists,
  scans: readonly Scan[],
  slices: readonly EdgeSlice[],
): Walk<void> {
  const nodes: NodeRecord[] = []
  for (const slice of slices) for (const { node } of slice.entries) nodes.push(node)
  const verdicts = yield* sift(judge, nodes, selection)
  let index = 0
  for (const [at, scan] of scans.entries()) {
    const slice = slices[at] ?? NO_SLICE
    assertProgress(scan.end, slice)
    for (const entry of slice.entries) if (verdicts[index++]) scan.visible.push(entry)
    scan.read += slice.entries.length
    scan.end = slice.end
    scan.more = slice.more
    scan.total ??= slice.total
  }
}

/** Those that are not done; what they leave of the budget is for the others. */
const stillOpen = (budget: ScanBudget, scans: readonly Scan[]): Scan[] => {
  for (const scan of scans) if (!isOpen(scan)) budget.leave(scan.taken)
  return scans.filter(isOpen)
}

/** What to read next of each list; where the budget gives nothing, the scan ends. */
const nextRanges = (budget: ScanBudget, scans: readonly Scan[]): EdgeRange[] =>
  scans.flatMap(scan => {
    const limit = budget.take(reach(scan), scan)
    scan.taken += limit
    scan.isCut = limit === 0
    return scan.isCut ? [] : [{ ...scan.range, from: scan.end, limit, count: false }]
  })

/** Looks on in all lists that are open, as far as the budget goes: passes for all at once. */
function* refill(context: Context, lists: PagedLists, scans: readonly Scan[]): Walk<void> {
  const { budget } = context
  for (let open = stillOpen(budget, scans); open.length > 0; open = stillOpen(budget, open)) {
    const ranges = nextRanges(budget, open)
    if (ranges.length === 0) continue
    const { ranges: slices } = yield askRanges(ranges)
    yield* pass(context, lists, open.filter(isOpen), slices)
  }
}

/**
 * The scan that counts a list, unless it is too long: where the window is the whole list the page's own, which then goes
 * on to the end, else one of its own.
 */
const countingScan = ({ shape, window }: PagedLists, page: Scan, longest: number): Scan | undefined => {
  const isWhole = window.cursor === undefined && window.minTime === undefined && window.maxTime === undefined
  if (isWhole && !page.more) return page
  if (page.total === undefined || page.total > longest) return undefined
  if (isWhole) return Object.assign(page, { wanted: ALL })
  return startScan(rangeOf(page.range.source, shape, WHOLE), ALL, page.total)
}

/** Whether the budget ended before it was known what the page is; of a count alone (a limit of 0) there is no page. */
const isPageCut = ({ isCut, visible }: Scan, { limit }: PageShape): boolean =>
  limit > 0 && isCut && visible.length <= limit

const pageOf = ({ shape, window }: PagedLists, scan: Scan, count: Scan | undefined): Page => {
  const { visible, end } = scan
  const isCut = isPageCut(scan, shape)
  const entries = visible.slice(0, shape.limit)
  return {
    entries: window.cursor === 'before' ? entries.reverse() : entries,
    more: isCut || visible.length > shape.limit,
    total: count === undefined || count.isCut ? undefined : count.visible.length,
    examined: isCut ? end : undefined,
  }
}

const remark = (
  context: Context,
  { shape }: PagedLists,
  pages: readonly Scan[],
  counts: readonly (Scan | undefined)[],
): void => {
  const { name } = shape
  if (pages.some(page => isPageCut(page, shape))) {
    context.remark(`The scan budget ended on a page of ${name}: it may be short, and its cursor goes on`)
  }
  if (counts.some(count => count === undefined || count.isCut)) {
    context.remark(`The scan budget ended on a count of ${name}: it is left out`)
  }
}

/**
 * Reads a page of what the viewer may see for each source: passes of one range wave and at most one test wave for all of
 * them, until every page is full or its list or budget at an end. `first` is what was answered already to the ranges of
 * the first pass.
 */
export function* readVisiblePages(
  context: Context,
  lists: PagedLists,
  first?: readonly EdgeSlice[],
): Walk<Page[]> {
  const { shape, window, sources } = lists
  const { budget } = context
  const limit = siftedLimit(shape.limit, budget.perList)
  const pages = sources.map(source => startScan(rangeOf(source, shape, window, limit), shape.limit + 1))
  budget.enter(pages.length)
  if (pages.length === 0) return []
  const ranges = pages.map(({ range }) => range)
  yield* pass(context, lists, pages, first ?? (yield askRanges(ranges)).ranges)
  const counts = shape.summary ? pages.map(page => countingScan(lists, page, budget.perList)) : []
  const own = new Set(pages)
  const counting = counts.filter(count => count !== undefined).filter(count => !own.has(count))
  budget.enter(counting.length)
  yield* refill(context, lists, [...pages, ...counting])
  remark(context, lists, pages, counts)
  return pages.map((page, index) => pageOf(lists, page, counts[index]))
}
