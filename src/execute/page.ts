import { GraphError } from '../base/faults.ts'
import type { NodeId } from '../base/ids.ts'
import { openWindow } from '../plan/link-query.ts'
import type { EdgePlan, Selection, Window } from '../plan/plan.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import type { EdgePosition, EdgeRange, EdgeSlice } from '../store/contract.ts'
import { askRanges } from '../store/nothing.ts'
import { refuseCursor } from './cursor.ts'
import type { Walk } from './walk.ts'

/** The entries of one page in the edge's order, and whether there are more in the direction it was walked. */
export type Page = Pick<EdgeSlice, 'entries' | 'more'> & {
  /** The size of the whole edge, where it was asked for and could be counted. */
  readonly total: number | undefined
  /** The last edge examined, if the scan limit ended the page before it was known whether it goes on. */
  readonly examined?: EdgePosition | undefined
}

/** How a list is walked: all of a plan that `readPages` needs. */
export type PageShape = Pick<EdgePlan, 'name' | 'order' | 'limit' | 'summary'>

const direction = (order: EdgeOrder, backwards: boolean): EdgeRange['direction'] =>
  (order === 'reverse_chronological') !== backwards ? 'newest' : 'oldest'

/** The window of a count, which is of the whole list. */
export const WHOLE: Window = openWindow(() => '')

/** The part of a list that is read: nothing but its count where no entries are asked for, whatever the cursor and the times. */
export const windowToRead = ({ limit }: Pick<PageShape, 'limit'>, window: Window): Window =>
  limit === 0 ? WHOLE : window

/** Lists of one edge that are read alike. */
export type PagedLists = {
  readonly shape: PageShape
  readonly window: Window
  readonly selection: Selection
  readonly sources: readonly NodeId[]
  /** The type of the sources. */
  readonly from: string
  /** Whether a page may end where the scan limit of the call does. Else the call fails there. */
  readonly isCuttable: boolean
}

/**
 * Asked of shut lists too: a fault that only open ones had would tell them apart from empty ones.
 *
 * @throws GraphError `bad_parameter` where the cursor holds for the list of another node alone.
 */
export const assertHoldsFor = (
  sources: readonly NodeId[],
  { name, order }: Pick<PageShape, 'name' | 'order'>,
  { cursor, source: only }: Window,
): void => {
  if (cursor === undefined || only === undefined || sources.every(source => source === only)) return
  refuseCursor(cursor, { edge: name, order }, 'one of another list')
}

/** What to ask of the store for the first entries of a page. */
export const rangeOf = (
  source: NodeId,
  shape: PageShape,
  window: Pick<Window, 'cursor' | 'from' | 'minTime' | 'maxTime'>,
  limit: number = shape.limit,
): EdgeRange => {
  const { cursor, from, minTime, maxTime } = window
  return {
    source,
    name: shape.name,
    direction: direction(shape.order, cursor === 'before'),
    from,
    minTime,
    maxTime,
    limit,
    count: shape.summary,
  }
}

/** A list that is being read: a store may answer less than was asked and say that there is more. */
type Reading = { readonly range: EdgeRange; slice: EdgeSlice }

const isShort = ({ limit }: EdgeRange, { more, entries, end }: EdgeSlice): boolean =>
  more && entries.length < limit && end !== undefined

const rest = ({ range, slice }: Reading): EdgeRange => ({
  ...range,
  from: slice.end,
  limit: range.limit - slice.entries.length,
  count: false,
})

/** @throws GraphError `store_fault` where a store says that there is more, but would answer the same again. */
export const assertProgress = (from: EdgePosition | undefined, { more, end }: EdgeSlice): void => {
  if (more && end?.time === from?.time && end?.target === from?.target) {
    throw new GraphError('store_fault', '(#2) The store does not get on in a list')
  }
}

const extend = (reading: Reading, slice: EdgeSlice | undefined): void => {
  if (slice !== undefined) assertProgress(reading.slice.end, slice)
  const { entries, total } = reading.slice
  if (slice !== undefined) reading.slice = { ...slice, entries: [...entries, ...slice.entries], total }
}

/** What is answered where nothing is. */
export const NO_SLICE: EdgeSlice = Object.freeze({
  entries: [],
  more: false,
  end: undefined,
  total: undefined,
})

/** The page of a list that may not be seen: as if it had no edges. */
export const emptyPage = ({ summary }: Pick<PageShape, 'summary'>): Page => ({
  entries: [],
  more: false,
  total: summary ? 0 : undefined,
})

/** Reads on in the lists that a store returned less of than was requested, all of them in one wave, until none is short. */
export function* completed(
  ranges: readonly EdgeRange[],
  slices: readonly EdgeSlice[],
): Walk<readonly EdgeSlice[]> {
  const readings = ranges.map((range, index): Reading => ({ range, slice: slices[index] ?? NO_SLICE }))
  const isOpen = ({ range, slice }: Reading): boolean => isShort(range, slice)
  for (let short = readings.filter(isOpen); short.length > 0; short = short.filter(isOpen)) {
    const answer = yield askRanges(short.map(rest))
    for (const [index, reading] of short.entries()) extend(reading, answer.ranges[index])
  }
  return readings.map(({ slice }) => slice)
}

const turned = ({ entries, more, total }: Page): Page => ({ entries: entries.toReversed(), more, total })

/** Reads a page for each source, all in one wave. `first` is what was answered already to that wave. */
export function* readOpenPages(
  { shape, window, sources }: Pick<PagedLists, 'shape' | 'window' | 'sources'>,
  first?: readonly EdgeSlice[],
): Walk<readonly Page[]> {
  const ranges = sources.map(source => rangeOf(source, shape, window))
  if (ranges.length === 0) return []
  const slices = first ?? (yield askRanges(ranges)).ranges
  const isWhole = ranges.every((range, index) => !isShort(range, slices[index] ?? NO_SLICE))
  const pages = isWhole ? slices : yield* completed(ranges, slices)
  return window.cursor === 'before' ? pages.map(turned) : pages
}

/** The pages of all lists, in order: those read, and empty ones for lists that may not be seen. */
export const withClosed = (
  shape: PageShape,
  isOpen: readonly boolean[],
  read: readonly Page[],
): readonly Page[] => {
  let next = 0
  return isOpen.map(open => (open && read[next++]) || emptyPage(shape))
}
