import type { AheadStep, EdgeRange, ReadAhead, StoreReadRequest } from './contract.ts'

/** The maximum number of rows that one read may examine under conditions. */
export const MAX_ROWS_PER_READ = 1_000_000

type Conditional = Pick<EdgeRange, 'conditions' | 'maxExamined'>

const isConditional = ({ conditions }: Conditional): boolean => conditions !== undefined

/** Returns how many lists with conditions a store reads ahead below one record, at most. */
const countListsBelow = (ahead: ReadAhead | undefined): number => {
  let max = 0
  for (const steps of ahead?.values() ?? []) max = Math.max(max, sumOf(steps, countListsOfStep))
  return max
}

const countListsOfStep = (step: AheadStep): number =>
  step.kind === 'ref'
    ? countListsBelow(step.ahead)
    : (isConditional(step) ? 1 : 0) + step.limit * countListsBelow(step.ahead)

const sumOf = <TItem>(items: readonly TItem[], measure: (item: TItem) => number): number =>
  items.reduce((sum, item) => sum + measure(item), 0)

const countListsAhead = ({ ranges, nodesAhead = [] }: StoreReadRequest): number =>
  sumOf(nodesAhead, countListsBelow) + sumOf(ranges, ({ limit, ahead }) => limit * countListsBelow(ahead))

/** Returns a range or a list with at most one of `count` equal shares of its rows, if it has conditions. */
const withShare = <TRange extends Conditional>(range: TRange, count: number): TRange => {
  if (!isConditional(range)) return range
  const { maxExamined = MAX_ROWS_PER_READ } = range
  const maxShare = Math.max(1, Math.floor(MAX_ROWS_PER_READ / count))
  return { ...range, maxExamined: Math.min(Math.ceil(maxExamined / count), maxShare) }
}

/** Returns a hint whose lists have at most one of `count` equal shares. `divided` keeps the hints of a read. */
const divideHint = (
  ahead: ReadAhead | undefined,
  count: number,
  divided: Map<ReadAhead, ReadAhead>,
): ReadAhead | undefined => {
  if (ahead === undefined || countListsBelow(ahead) === 0) return ahead
  const known = divided.get(ahead)
  if (known !== undefined) return known
  const divideStep = (step: AheadStep): AheadStep => {
    const below = divideHint(step.ahead, count, divided)
    return step.kind === 'ref' ? { ...step, ahead: below } : withShare({ ...step, ahead: below }, count)
  }
  const hint = new Map([...ahead].map(([type, steps]) => [type, steps.map(divideStep)] as const))
  divided.set(ahead, hint)
  return hint
}

/**
 * Divides the rows that a read may examine under conditions between its ranges and the lists that it reads ahead: if
 * it has both, each half. A list that ends there is continued, so no result depends on the division. A read without
 * conditions is returned unchanged.
 */
export const divideExaminedRows = (request: StoreReadRequest): StoreReadRequest => {
  const { ranges, nodesAhead } = request
  let rangeCount = 0
  for (let index = 0; index < ranges.length; index++)
    if (ranges[index]?.conditions !== undefined) rangeCount++
  const aheadCount = countListsAhead(request)
  if (rangeCount + aheadCount === 0) return request
  const parts = rangeCount > 0 && aheadCount > 0 ? 2 : 1
  const divided = new Map<ReadAhead, ReadAhead>()
  // Records that share a hint still share it. The hint of a range without entries is not executed.
  const divideAhead = (ahead: ReadAhead | undefined) =>
    divideHint(ahead, Math.max(1, aheadCount * parts), divided)
  const divideRange = (range: EdgeRange): EdgeRange =>
    withShare({ ...range, ahead: divideAhead(range.ahead) }, rangeCount * parts)
  return {
    ...request,
    ranges: ranges.map(divideRange),
    ...(nodesAhead && { nodesAhead: nodesAhead.map(divideAhead) }),
  }
}
