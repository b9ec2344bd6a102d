import type { EdgeStep, RefStep, Selection, TypePlan } from '../plan/plan.ts'
import { findCondition } from '../schema/rule-conditions.ts'
import type { AheadStep, NodeRecord, ReadAhead } from '../store/contract.ts'
import type { ExecutionContext } from './context.ts'
import { chooseConditions } from './list-conditions.ts'
import { chooseDirection } from './pages.ts'
import { maxExaminedBy } from './scan-limit.ts'

/** The part of a context that decides what is read ahead. */
type AheadContext = Pick<ExecutionContext, 'readsAhead' | 'conditionsOf' | 'scanLimit'> & {
  /** The maximum number of rows to examine, if it is less than what is left of the scan limit. */
  readonly maxRows?: number
}

/** The maximum number of records that one read may read ahead, as many as one part of a large read has. */
const MAX_RECORDS_AHEAD = 2000
/**
 * The maximum number of steps of a hint. The steps below a record are repeated for each type that the record may have,
 * so a short expression may have any number of them, and a store may execute all of them in one statement.
 */
const MAX_STEPS_AHEAD = 100
/**
 * The maximum number of rows that a store examines under conditions below records whose policies are not evaluated yet.
 * Below a hidden record, these rows take time.
 */
const MAX_ROWS_BEFORE_POLICY = 2500

/** What is read ahead below a record. */
type Hint = {
  /** The maximum number of records that it contains. */
  readonly size: number
  readonly stepCount: number
  /** Whether it contains conditions, which depend on the session. */
  readonly isConditional: boolean
  /** The hint that all sessions share, or `undefined` for none. */
  readonly shared: ReadAhead | undefined
}

const NO_HINT: Hint = Object.freeze({ size: 0, stepCount: 0, isConditional: false, shared: undefined })

/** The part of a selection that decides what is read ahead. */
type AheadSelection = Pick<Selection, 'types' | 'readCount'>

/** The hints below the records of a selection that cover one level, two levels and so on. */
const hintsBySelection = new WeakMap<AheadSelection, Hint[]>()
/** The selections for records that are known to have the type of a plan. */
const selectionsByPlan = new WeakMap<TypePlan, AheadSelection>()
/** The index of a step among those that are read ahead of the records of its type. */
const indexesByStep = new WeakMap<EdgeStep | RefStep, number>()

/** Returns the selection of the records that a step leads to. */
export const selectionBelow = (step: EdgeStep | RefStep): Selection =>
  step.kind === 'ref' ? step.selection : step.edge.selection

/**
 * Whether the policy of the records of a selection is sent to the store as conditions. Depends on no session, except
 * that nothing is sent for one that may see everything.
 */
const sendsConditions = ({ conditionsOf }: AheadContext, { onlyType }: Selection): boolean =>
  conditionsOf !== undefined && onlyType?.policy?.every(rule => findCondition(rule) !== undefined) === true

/**
 * Whether a step is read ahead. Lists whose entries may be left out by the engine alone are not, because nothing says
 * how many entries they need, and neither are lists that begin where the caller says. Rows are counted only within
 * the drawn limit. Entries of an order may be incomplete, which only a read of its own can find.
 */
const isReadAhead = (
  context: AheadContext,
  step: TypePlan['cellSteps'][number],
): step is EdgeStep | RefStep => {
  if (step.kind === 'ref') return step.policyIndex === undefined && /^\w+$/.test(step.name)
  if (step.kind !== 'edge' || step.policyIndex !== undefined) return false
  const { filter, computation, order, limit, window, selection, summary, countKind } = step.edge
  if (filter !== undefined || computation !== undefined || order.by !== undefined) return false
  if (selection.hasPolicy && !sendsConditions(context, selection)) return false
  return (
    limit > 0 &&
    !(summary && countKind === 'exact') &&
    !('slots' in window) &&
    window.cursorParameter === undefined &&
    window.minTime === undefined &&
    window.maxTime === undefined
  )
}

const selectStepsAhead = (context: AheadContext, { cellSteps }: TypePlan): readonly (EdgeStep | RefStep)[] =>
  cellSteps.filter(step => isReadAhead(context, step))

/** Returns how many records a step leads to: of a list under a policy, one more shows whether it has more. */
const maxCountOf = (step: EdgeStep | RefStep): number =>
  step.kind === 'ref' ? 1 : step.edge.limit + (step.edge.selection.hasPolicy ? 1 : 0)

/** Returns how many rows of a list a store may examine under its conditions. */
const chooseMaxExamined = ({ scanLimit, maxRows = Number.POSITIVE_INFINITY }: AheadContext): number =>
  Math.min(maxExaminedBy(scanLimit), maxRows)

/** Returns the context of hints below records that may be hidden. */
const beforePolicy = ({ readsAhead, conditionsOf, scanLimit }: AheadContext): AheadContext => ({
  readsAhead,
  conditionsOf,
  scanLimit,
  maxRows: MAX_ROWS_BEFORE_POLICY,
})

const createStep = (context: AheadContext, step: EdgeStep | RefStep, depth: number): AheadStep => {
  const selection = selectionBelow(step)
  const mayBeHidden = step.kind === 'ref' && selection.hasPolicy
  const belowContext = mayBeHidden ? beforePolicy(context) : context
  const ahead = createAhead(belowContext, selection, depth - 1)
  const { fields } = selection.wanted
  // Without conditions, the session may see every record.
  const conditions = chooseConditions(context, selection)
  if (step.kind === 'ref') return { kind: 'ref', field: step.name, fields, ahead, conditions }
  const { list: name, order, summary: count } = step.edge
  const direction = chooseDirection(order, false)
  const limit = maxCountOf(step)
  const maxExamined = conditions && chooseMaxExamined(context)
  const pageLimit = step.edge.limit
  return { kind: 'list', name, direction, limit, pageLimit, count, fields, ahead, conditions, maxExamined }
}

const createSteps = (context: AheadContext, { types }: AheadSelection, depth: number): ReadAhead =>
  new Map(
    [...types].flatMap(([type, plan]) => {
      const steps = selectStepsAhead(context, plan).map(step => createStep(context, step, depth))
      return steps.length === 0 ? [] : [[type, steps] as const]
    }),
  )

/** Creates the hint that covers `depth` levels below the records of a selection, for one call. */
const createAhead = (context: AheadContext, selection: Selection, depth: number): ReadAhead | undefined => {
  const { isConditional, shared } = hintOf(context, selection, depth)
  return isConditional ? createSteps(context, selection, depth) : shared
}

const measureHint = (
  context: AheadContext,
  { types }: AheadSelection,
  depth: number,
): Omit<Hint, 'shared'> => {
  let size = 0
  let stepCount = 0
  let isConditional = false
  for (const plan of types.values()) {
    let typeSize = 0
    for (const [index, step] of selectStepsAhead(context, plan).entries()) {
      const below = hintOf(context, selectionBelow(step), depth - 1)
      typeSize += maxCountOf(step) * (1 + below.size)
      stepCount += 1 + below.stepCount
      isConditional ||= below.isConditional || sendsConditions(context, selectionBelow(step))
      indexesByStep.set(step, index)
    }
    size = Math.max(size, typeSize)
  }
  return { size, stepCount, isConditional }
}

/**
 * Returns the hint that covers `depth` levels below the records of a selection. It is a part of the plan: a plan
 * belongs to one graph, and so to one store.
 */
const hintOf = (context: AheadContext, selection: AheadSelection, depth: number): Hint => {
  if (depth === 0) return NO_HINT
  const hints = hintsBySelection.get(selection) ?? []
  hintsBySelection.set(selection, hints)
  const existing = hints[depth - 1]
  if (existing !== undefined) return existing
  const measured = measureHint(context, selection, depth)
  const isShared = measured.size > 0 && !measured.isConditional
  const hint = { ...measured, shared: isShared ? createSteps(context, selection, depth) : undefined }
  hints[depth - 1] = hint
  return hint
}

/**
 * Returns what to read ahead below `recordCount` records of a selection: as many levels as have at most 2,000
 * records and 100 steps, or `undefined` for none. `isVisible` is false if the policies of the records have not been
 * evaluated, and will be.
 */
export const chooseReadAhead = (
  context: AheadContext,
  selection: AheadSelection,
  recordCount: number,
  isVisible: boolean,
): ReadAhead | undefined => {
  if (!context.readsAhead) return undefined
  for (let depth = selection.readCount; depth > 0; depth--) {
    const { size, stepCount, isConditional, shared } = hintOf(context, selection, depth)
    if (recordCount * size > MAX_RECORDS_AHEAD || stepCount > MAX_STEPS_AHEAD) continue
    if (!isConditional) return shared
    return createSteps(isVisible ? context : beforePolicy(context), selection, depth)
  }
  return undefined
}

/** Returns the selection for records that have the type of one of its plans. */
const selectType = ({ readCount }: Selection, plan: TypePlan): AheadSelection => {
  const existing = selectionsByPlan.get(plan)
  if (existing !== undefined) return existing
  const selection = { types: new Map([[plan.type, plan]]), readCount }
  selectionsByPlan.set(plan, selection)
  return selection
}

/**
 * Returns what to read ahead below a root, or `undefined` for nothing. The type of the root is known, so the store need
 * not expect the others.
 */
export const chooseReadAheadOfRoot = (
  context: AheadContext,
  selection: Selection,
  type: string,
): ReadAhead | undefined => {
  const plan = selection.types.get(type)
  return plan && chooseReadAhead(context, selectType(selection, plan), 1, plan.policy === undefined)
}

/** Returns the result of a step that was read ahead of a record, if it was. */
export const resultAheadOf = ({ ahead }: NodeRecord, step: EdgeStep | RefStep) =>
  ahead?.[indexesByStep.get(step) ?? ahead.length]
