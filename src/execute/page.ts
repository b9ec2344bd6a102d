import { GraphError } from '../base/faults.ts'
import type { NodeId } from '../base/ids.ts'
import type { EdgePlan, Window } from '../plan/plan.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import type { CountedPage, LooseNode, Paging } from '../schema/inference/answer.ts'
import type { EdgeEntry, EdgeRange, EdgeSlice } from '../store/contract.ts'
import { NOTHING } from '../store/nothing.ts'
import { cursorHead, encodeCursor } from './cursor.ts'
import type { Walk } from './walk.ts'

/** The entries of one page in the edge's order, and whether there are more in the direction it was walked. */
export type Page = {
  readonly entries: readonly EdgeEntry[]
  readonly more: boolean
  /** The size of the whole edge, where it was asked for. */
  readonly total: number | undefined
}

/** How a list is walked: all of a plan that `readPages` needs. */
export type PageShape = Pick<EdgePlan, 'name' | 'order' | 'limit' | 'summary'>

const direction = (order: EdgeOrder, backwards: boolean): EdgeRange['direction'] =>
  (order === 'reverse_chronological') !== backwards ? 'newest' : 'oldest'

/** What to ask of the store for the first entries of a page. */
export const rangeOf = (source: NodeId, shape: PageShape, window: Window): EdgeRange => ({
  source,
  name: shape.name,
  direction: direction(shape.order, window.cursor === 'before'),
  from: window.from,
  minTime: window.minTime,
  maxTime: window.maxTime,
  limit: shape.limit,
  count: shape.summary,
})

/** A list that is being read: a store may answer less than was asked and say that there is more. */
type Reading = { readonly range: EdgeRange; slice: EdgeSlice }

const isShort = ({ range, slice }: Reading): boolean =>
  slice.more && slice.entries.length < range.limit && slice.end !== undefined

const rest = ({ range, slice }: Reading): EdgeRange => ({
  ...range,
  from: slice.end,
  limit: range.limit - slice.entries.length,
  count: false,
})

const extend = (reading: Reading, slice: EdgeSlice | undefined): void => {
  const { end } = reading.slice
  if (slice?.more && slice.end?.time === end?.time && slice.end?.target === end?.target) {
    throw new GraphError('store_fault', '(#2) The store does not get on in a list')
  }
  const { entries, total } = reading.slice
  if (slice !== undefined) reading.slice = { ...slice, entries: [...entries, ...slice.entries], total }
}

/**
 * Reads a page for each source, all in one wave; where slices came short, all of those in one more. `first` is what was
 * answered already to the ranges.
 */
export function* readPages(
  ranges: readonly EdgeRange[],
  backwards: boolean,
  first?: readonly EdgeSlice[],
): Walk<Page[]> {
  const slices = first ?? (yield { nodes: [], ranges, tests: [], tokens: [] }).ranges
  const readings: Reading[] = ranges.map((range, index) => ({ range, slice: slices[index] ?? EMPTY }))
  for (let short = readings.filter(isShort); short.length > 0; short = short.filter(isShort)) {
    const answer = yield { ...NOTHING, ranges: short.map(rest) }
    for (const [index, reading] of short.entries()) extend(reading, answer.ranges[index])
  }
  return readings.map(({ slice: { entries, more, total } }) => ({
    entries: backwards ? entries.toReversed() : entries,
    more,
    total,
  }))
}

const EMPTY: EdgeSlice = Object.freeze({ entries: [], more: false, end: undefined, total: undefined })

/** Writes the envelopes of the pages of one edge. `url` is that of the edge on the given source. */
export class EnvelopeWriter {
  readonly #shape: PageShape
  readonly #window: Window
  readonly #urlOf: (source: NodeId) => string
  readonly #head: string

  constructor(shape: PageShape, window: Window, urlOf: (source: NodeId) => string) {
    this.#shape = shape
    this.#window = window
    this.#urlOf = urlOf
    this.#head = cursorHead(shape.name, shape.order)
  }

  write(source: NodeId, page: Page, data: LooseNode[]): CountedPage<LooseNode> {
    const answer: CountedPage<LooseNode> = { data }
    const first = page.entries[0]
    const last = page.entries.at(-1)
    if (first !== undefined && last !== undefined) answer.paging = this.#paging(source, page, first, last)
    if (page.total !== undefined) answer.summary = { order: this.#shape.order, total_count: page.total }
    return answer
  }

  #paging(source: NodeId, { more }: Page, first: EdgeEntry, last: EdgeEntry): Paging {
    const { cursor, query } = this.#window
    const before = encodeCursor(this.#head, first)
    const after = encodeCursor(this.#head, last)
    const paging: Paging = { cursors: { before, after } }
    if (cursor === undefined && !more) return paging
    const link = `${this.#urlOf(source)}?${query === '' ? '' : `${query}&`}`
    if (cursor === 'before' ? more : cursor === 'after') paging.previous = `${link}before=${before}`
    if (cursor === 'before' || more) paging.next = `${link}after=${after}`
    return paging
  }
}
