import type { Wave, WaveAnswer } from '../store/contract.ts'

/**
 * A part of a query that says what it must read, is given the answer, and goes on. It knows no promises and no store; who
 * leads it knows both.
 */
export type Walk<TResult> = Generator<Wave, TResult, WaveAnswer>

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

/** Hands each walk its share of the answer, in order; those that ask again stay. */
const advance = (live: readonly Live[], { nodes, ranges, tests, tokens }: WaveAnswer): Live[] => {
  const from = { nodes: 0, ranges: 0, tests: 0, tokens: 0 }
  return live.flatMap(({ walk, wave }) => {
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
    const step = walk.next(share)
    return step.done ? [] : [{ walk, wave: step.value }]
  })
}

/** Takes several walks in step: what they ask at the same time is one wave. */
export function* together(walks: readonly Walk<void>[]): Walk<void> {
  const [first] = walks
  if (first === undefined) return
  if (walks.length === 1) return yield* first
  let live = walks.flatMap(walk => {
    const step = walk.next()
    return step.done ? [] : [{ walk, wave: step.value }]
  })
  while (live.length > 0) live = advance(live, yield join(live))
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
