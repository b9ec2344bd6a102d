import type { NodeId } from '../base/ids.ts'
import type { EdgeStep, RefStep, Selection, TypePlan } from '../plan/plan.ts'
import type { AheadResult, AheadStep, NodeRecord, RangeResult, ReadAhead } from '../store/contract.ts'
import { chooseDirection } from './pages.ts'

/** The maximum number of records that one read may read ahead, as many as one part of a large read has. */
const MAX_RECORDS_AHEAD = 2000
/**
 * The maximum number of steps of a hint. The steps below a record are repeated for each type that the record may have,
 * so a short expression may have any number of them, and a store may execute all of them in one statement.
 */
const MAX_STEPS_AHEAD = 100

/** What is read ahead below a record, the maximum number of records that it contains, and that of its steps. */
type Hint = { readonly ahead: ReadAhead | undefined; readonly size: number; readonly stepCount: number }

const NO_HINT: Hint = Object.freeze({ ahead: undefined, size: 0, stepCount: 0 })

/** The hints below the records of a selection that cover one level, two levels and so on. */
const hintsBySelection = new WeakMap<Selection, Hint[]>()
/** The index of a step among those that are read ahead of the records of its type. */
const indexesByStep = new WeakMap<EdgeStep | RefStep, number>()

/**
 * Whether a step is read ahead. Lists whose entries may be left out are not, because nothing says how many
 * entries they need, and neither are lists that begin where the caller says. Entries of an order may be
 * incomplete, which only a read of its own can find.
 */
const isReadAhead = (step: TypePlan['cellSteps'][number]): step is EdgeStep | RefStep => {
  if (step.kind === 'ref') return step.policyIndex === undefined && /^\w+$/.test(step.name)
  if (step.kind !== 'edge' || step.policyIndex !== undefined) return false
  const { isFiltered, filter, computation, order, limit, window } = step.edge
  if (isFiltered || filter !== undefined || computation !== undefined || order.by !== undefined) return false
  return (
    limit > 0 &&
    !('slots' in window) &&
    window.cursorParameter === undefined &&
    window.minTime === undefined &&
    window.maxTime === undefined
  )
}

const createStep = (step: EdgeStep | RefStep, ahead: ReadAhead | undefined): AheadStep => {
  if (step.kind === 'ref')
    return { kind: 'ref', field: step.name, fields: step.selection.wanted.fields, ahead }
  const { list: name, order, limit, summary: count, selection } = step.edge
  const direction = chooseDirection(order, false)
  return { kind: 'list', name, direction, limit, count, fields: selection.wanted.fields, ahead }
}

/** The hint for the records of one type. */
type TypeHint = Omit<Hint, 'ahead'> & { readonly steps: readonly AheadStep[] }

const createTypeHint = ({ cellSteps }: TypePlan, depth: number): TypeHint => {
  let size = 0
  let stepCount = 0
  const steps = cellSteps.filter(isReadAhead).map((step, index) => {
    const [selection, count] =
      step.kind === 'ref' ? [step.selection, 1] : [step.edge.selection, step.edge.limit]
    const below = hintOf(selection, depth - 1)
    size += count * (1 + below.size)
    stepCount += 1 + below.stepCount
    indexesByStep.set(step, index)
    return createStep(step, below.ahead)
  })
  return { steps, size, stepCount }
}

/** Returns the hint that covers `depth` levels below the records of a selection. */
const hintOf = (selection: Selection, depth: number): Hint => {
  if (depth === 0) return NO_HINT
  const hints = hintsBySelection.get(selection) ?? []
  hintsBySelection.set(selection, hints)
  const existing = hints[depth - 1]
  if (existing !== undefined) return existing
  const ahead = new Map<string, readonly AheadStep[]>()
  let size = 0
  let stepCount = 0
  for (const [type, plan] of selection.types) {
    const hint = createTypeHint(plan, depth)
    if (hint.steps.length > 0) ahead.set(type, hint.steps)
    size = Math.max(size, hint.size)
    stepCount += hint.stepCount
  }
  const hint = ahead.size === 0 ? NO_HINT : { ahead, size, stepCount }
  hints[depth - 1] = hint
  return hint
}

/**
 * Returns what to read ahead below `recordCount` records of a selection: as many levels as have at most 2,000
 * records and 100 steps, or `undefined` for none.
 */
export const chooseReadAhead = (
  { readsAhead }: { readonly readsAhead: boolean },
  selection: Selection,
  recordCount: number,
): ReadAhead | undefined => {
  if (!readsAhead) return undefined
  for (let depth = selection.readCount; depth > 0; depth--) {
    const { ahead, size, stepCount } = hintOf(selection, depth)
    if (recordCount * size <= MAX_RECORDS_AHEAD && stepCount <= MAX_STEPS_AHEAD) return ahead
  }
  return undefined
}

const resultOf = ({ ahead }: NodeRecord, step: EdgeStep | RefStep): AheadResult =>
  ahead?.[indexesByStep.get(step) ?? ahead.length]

/**
 * Returns the first results of the lists of an edge that were read ahead, or `undefined` if those of some source
 * were not.
 */
export const findRangesAhead = (
  step: EdgeStep,
  sources: readonly NodeRecord[],
): readonly RangeResult[] | undefined => {
  if (sources[0]?.ahead === undefined) return undefined
  const rangeResults: RangeResult[] = []
  for (const source of sources) {
    const result = resultOf(source, step)
    if (result == null || !('entries' in result)) return undefined
    rangeResults.push(result)
  }
  return rangeResults
}

/**
 * Returns the nodes of a ref that were read ahead, or `undefined` if some of them were not. `rowIndexes` are the
 * rows whose ref has the id in `ids`.
 */
export const findNodesAhead = (
  step: RefStep,
  records: readonly NodeRecord[],
  rowIndexes: readonly number[],
  ids: readonly NodeId[],
): readonly (NodeRecord | undefined)[] | undefined => {
  if (records[0]?.ahead === undefined) return undefined
  const nodes: (NodeRecord | undefined)[] = []
  for (const [index, row] of rowIndexes.entries()) {
    const record = records[row]
    const result = record && resultOf(record, step)
    if (result == null || !('node' in result)) return undefined
    if (result.node !== undefined && result.node.id !== ids[index]) return undefined
    nodes.push(result.node)
  }
  return nodes
}
