import type { EdgeRange, EdgeSlice, EdgeTest, Wave, WaveAnswer } from './contract.ts'

/** The entries that one part of a read may return, and the keys that it may name. */
const PART = 2000

/** Where a part keeps the read that it is of. */
const PART_OF = Symbol('kithgraph.partOf')

type Part = { nodes: string[]; ranges: EdgeRange[]; tests: EdgeTest[]; tokens: readonly string[] }

/** How many entries a range may return; one that only counts is some work, too. */
const entriesOf = ({ limit }: EdgeRange): number => Math.max(1, limit)

/** How many entries and keys a read comes to. */
export const sizeOf = ({ nodes, ranges, tests, tokens }: Wave): number => {
  const size = nodes.length + tests.length + tokens.length
  return ranges.length === 0 ? size : ranges.reduce((sum, range) => sum + entriesOf(range), size)
}

/** Whether a read of this size would hold the event loop for too long. */
export const isLong = (size: number): boolean => size > PART

/** The read that this one is a part of, or the read itself. */
export const wholeOf = (wave: Wave & { readonly [PART_OF]?: Wave }): Wave => wave[PART_OF] ?? wave

const partOf = (whole: Wave, part: Partial<Wave>): Wave =>
  Object.defineProperty({ nodes: [], ranges: [], tests: [], tokens: [], ...part }, PART_OF, { value: whole })

/** Divides a long read into parts, in the order of its keys. A range that is longer than a part is one of its own. */
export const partsOf = (whole: Wave): readonly Wave[] => {
  let part: Part = { nodes: [], ranges: [], tests: [], tokens: whole.tokens }
  const parts = [part]
  let size = whole.tokens.length
  const roomFor = (entries: number): Part => {
    if (size > 0 && size + entries > PART) {
      part = { nodes: [], ranges: [], tests: [], tokens: [] }
      parts.push(part)
      size = 0
    }
    size += entries
    return part
  }
  for (const id of whole.nodes) roomFor(1).nodes.push(id)
  for (const range of whole.ranges) roomFor(entriesOf(range)).ranges.push(range)
  for (const test of whole.tests) roomFor(1).tests.push(test)
  return parts.map(one => partOf(whole, one))
}

/**
 * The next read of a part whose only range is longer than a part, after what was read of it so far; undefined once all of
 * it was read.
 */
export const stretchOf = (part: Wave, read: EdgeSlice | undefined): Wave | undefined => {
  const [range] = part.ranges
  if (range === undefined || range.limit <= PART) return undefined
  if (read === undefined) return partOf(wholeOf(part), { ranges: [{ ...range, limit: PART }] })
  const limit = Math.min(PART, range.limit - read.entries.length)
  if (!read.more || read.end === undefined || limit < 1) return undefined
  return partOf(wholeOf(part), { ranges: [{ ...range, from: read.end, limit, count: false }] })
}

/** What was read of a range, and what was read behind it. */
export const joinedSlice = (read: EdgeSlice | undefined, next: EdgeSlice): EdgeSlice =>
  read === undefined ? next : { ...next, entries: [...read.entries, ...next.entries], total: read.total }

/** What was read of the parts, as of one read. */
export const joinedAnswer = (answers: readonly WaveAnswer[]): WaveAnswer => ({
  nodes: answers.flatMap(({ nodes }) => nodes),
  ranges: answers.flatMap(({ ranges }) => ranges),
  tests: answers.flatMap(({ tests }) => tests),
  tokens: answers.flatMap(({ tokens }) => tokens),
})
