import type { Wave, WaveAnswer } from '../store/contract.ts'
import { sizeOf } from '../store/divided-read.ts'

/**
 * A part of a query that says what it must read, is given the answer, and goes on. It knows no promises and no store; who
 * leads it knows both.
 */
export type Walk<TResult> = Generator<Wave, TResult, WaveAnswer>

/** Entries and keys that walks take before others may run. */
const STRETCH = 500

/**
 * A step that asks for nothing: who leads the walk may let others run before it goes on. Long loops yield it now and then.
 */
export const PAUSE: Wave = Object.freeze({ nodes: [], ranges: [], tests: [], tokens: [] })

/** Visits all of a list, and pauses between stretches of it. */
export function* inStretches<TItem>(
  items: readonly TItem[],
  visit: (item: TItem, index: number) => void,
): Walk<void> {
  for (const [index, item] of items.entries()) {
    if (index % STRETCH === STRETCH - 1) yield PAUSE
    visit(item, index)
  }
}

type Live = { readonly walk: Walk<void>; readonly wave: Wave }

/** Asked one after the other: most walks ask of one kind alone. */
const joined = <TAsked>(live: readonly Live[], of: (wave: Wave) => readonly TAsked[]): readonly TAsked[] => {
  const asking = live.map(({ wave }) => of(wave)).filter(({ length }) => length > 0)
  const [only = []] = asking
  return asking.length > 1 ? asking.flat() : only
}

const join = (live: readonly Live[]): Wave => ({
  nodes: joined(live, ({ nodes }) => nodes),
  ranges: joined(live, ({ ranges }) => ranges),
  tests: joined(live, ({ tests }) => tests),
  tokens: joined(live, ({ tokens }) => tokens),
})

/**
 * Hands each walk its share of the answer, in order; those that ask again stay. A walk that pauses goes on before the next
 * one begins, so that all of them stay in step.
 */
function* advance(
  live: readonly Live[],
  { nodes, ranges, tests, tokens }: WaveAnswer,
): Generator<Wave, Live[], WaveAnswer> {
  const from = { nodes: 0, ranges: 0, tests: 0, tokens: 0 }
  const asking: Live[] = []
  let taken = 0
  for (const { walk, wave } of live) {
    const to = {
      nodes: from.nodes + wave.nodes.length,
      ranges: from.ranges + wave.ranges.length,
      tests: from.tests + wave.tests.length,
      tokens: from.tokens + wave.tokens.length,
    }
    const share = {
      nodes: nodes.slice(from.nodes, to.nodes),
      ranges: ranges.slice(from.ranges, to.ranges),
      tests: tests.slice(from.tests, to.tests),
      tokens: tokens.slice(from.tokens, to.tokens),
    }
    Object.assign(from, to)
    taken += sizeOf(wave)
    if (taken > STRETCH) {
      taken = 0
      yield PAUSE
    }
    const next = yield* untilAsking(walk, walk.next(share))
    if (next !== undefined) asking.push(next)
  }
  return asking
}

/** Goes on to what a walk asks next; undefined at its end. */
function* untilAsking(
  walk: Walk<void>,
  first: IteratorResult<Wave, void>,
): Generator<Wave, Live | undefined, WaveAnswer> {
  let step = first
  while (!step.done && step.value === PAUSE) step = walk.next(yield PAUSE)
  return step.done ? undefined : { walk, wave: step.value }
}

/** Takes several walks in step: what they ask at the same time is one wave. */
export function* together(walks: readonly Walk<void>[]): Walk<void> {
  const [first] = walks
  if (first === undefined) return
  if (walks.length === 1) return yield* first
  let live: Live[] = []
  for (const walk of walks) {
    const next = yield* untilAsking(walk, walk.next())
    if (next !== undefined) live.push(next)
  }
  while (live.length > 0) live = yield* advance(live, yield join(live))
}

/** Takes several walks in step, and answers what each of them came to. */
export function* all<TResult>(walks: readonly Walk<TResult>[]): Walk<TResult[]> {
  const results: TResult[] = []
  yield* together(walks.map((walk, index) => put(walk, index, results)))
  return results
}

function* put<TResult>(walk: Walk<TResult>, index: number, into: TResult[]): Walk<void> {
  into[index] = yield* walk
}
