import { BoundedMap } from '../../base/bounded-map.ts'
import type {
  AheadList,
  AheadRef,
  Condition,
  EdgeRange,
  ReadAhead,
  WantedFields,
} from '../../store/contract.ts'
import type { TableModel, TypeMapping } from '../model/table-model.ts'
import { Memo } from '../rows/memo.ts'
import type { RecordLayout } from '../rows/record-layout.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import type { WantedLayouts } from '../rows/wanted-layouts.ts'
import { MAX_COUNTED, MAX_EXAMINED } from '../sql/range-limits.ts'
import type { RangeBounds } from '../sql/stretches.ts'
import { compileConditions, compileRefCondition } from './condition-sql.ts'
import { ListPlan, type ListPlanOptions, rowLimitOf } from './list-plan.ts'
import type { ObjectNumbers } from './object-numbers.ts'
import { type PartValue, PartValues } from './part-values.ts'
import { RecordPlan, type StepPlan } from './record-plan.ts'
import { createRefStep } from './ref-step.ts'
import { columnsOfSource } from './selected-columns.ts'

/** The model, layouts and names that all plans of a store share. */
export type PlanContext = {
  readonly model: TableModel
  readonly layouts: WantedLayouts
  readonly sessionFilters: SessionFilters
  readonly numbers: ObjectNumbers
}

/** The plan of a record, and the values of its part that the plan uses. */
export type CompiledRecord = { readonly plan: RecordPlan; readonly values: readonly PartValue[] }

/**
 * A plan that may have been created before. Hints with conditions are new in each call, because their values depend on
 * the session, but plans with equal keys have the same SQL and use their values in the same order.
 */
type PlanDraft<TPlan> = { readonly key: string; readonly create: () => TPlan }

/** A step that the store does not execute. */
const SKIPPED_STEP: StepPlan = { columns: [], sql: () => 'null', read: () => undefined }
const SKIPPED_DRAFT: PlanDraft<StepPlan> = { key: 'skipped', create: () => SKIPPED_STEP }

const wholeListBounds = (direction: EdgeRange['direction']): RangeBounds => ({
  isNewest: direction === 'newest',
  start: 'none',
  startValue: '',
  startKey: [],
  minTime: undefined,
  maxTime: undefined,
})

/** The maximum number of rows that are few: numbering them takes less than a quarter of a millisecond. */
const MAX_FEW_ROWS = 1000

/** Creates the step of a list. A query may leave it out for some rows. */
const createListStep = (options: ListPlanOptions, limit: number): StepPlan => {
  const plan = new ListPlan(options)
  return {
    columns: columnsOfSource(options.list, options.isCounted),
    sql: (alias, depth) => plan.sql(alias, depth),
    read: value => (value === null ? undefined : plan.read(value, { limit })),
    isOptional: true,
  }
}

const draftListStep = (
  context: PlanContext,
  type: TypeMapping,
  step: AheadList,
  values: PartValues,
): PlanDraft<StepPlan> => {
  const list = type.lists.get(step.name)
  if (list === undefined) return SKIPPED_DRAFT
  const { model, sessionFilters, numbers } = context
  const { direction, limit, pageLimit, count, fields, ahead, conditions, maxExamined = MAX_EXAMINED } = step
  const condition =
    conditions && compileConditions({ model, sessionFilters, values, target: list.target, list }, conditions)
  const decided = condition?.isExact === true ? conditions : undefined
  const record = draftRecord(context, { type: list.target, fields, ahead, decided }, values)
  const bounds = wholeListBounds(direction)
  const mayBeLong = maxExamined > MAX_FEW_ROWS
  const filter = condition && {
    condition,
    maxExamined: values.add(maxExamined, 'int8'),
    mayBeLong,
    pageLimit: decided === undefined || pageLimit === undefined ? undefined : values.add(pageLimit, 'int8'),
  }
  const rowLimit = values.add(rowLimitOf(limit, filter !== undefined), 'int8')
  return {
    key: `list ${numbers.get(list)} ${direction} ${limit} ${count} ${condition?.key ?? '-'} ${mayBeLong} ${pageLimit} ${record.key}`,
    create: () => {
      const maxCounted = `${MAX_COUNTED}`
      const options = { list, record: record.create(), bounds, rowLimit, maxCounted, filter, sessionFilters }
      return createListStep({ ...options, isCounted: count }, limit)
    },
  }
}

const draftRefStep = (
  context: PlanContext,
  { type, decided = [] }: DraftedRecord,
  step: AheadRef,
  values: PartValues,
): PlanDraft<StepPlan> => {
  const field = type.fields.get(step.field)
  if (field?.kind !== 'ref') return SKIPPED_DRAFT
  const { target, columns } = field
  const { model, sessionFilters } = context
  const record = draftRecord(context, { type: target, fields: step.fields, ahead: step.ahead }, values)
  const condition = compileRefCondition({ model, sessionFilters, values, target }, step, decided)
  return {
    key: `ref ${step.field} ${condition?.key ?? '-'} ${record.key}`,
    create: () =>
      createRefStep({
        field: step.field,
        target,
        columns,
        record: record.create(),
        condition,
        sessionFilters,
      }),
  }
}

/** A record for which a plan is drafted. */
type DraftedRecord = {
  readonly type: TypeMapping
  readonly fields: WantedFields | undefined
  readonly ahead: ReadAhead | undefined
  /** The conditions of which one holds for the record, if the statement says which one. */
  readonly decided?: readonly Condition[] | undefined
}

const draftRecord = (
  context: PlanContext,
  drafted: DraftedRecord,
  values: PartValues,
): PlanDraft<RecordPlan> => {
  const { type, fields, ahead } = drafted
  const layout = context.layouts.get(type, fields)
  const steps = (ahead?.get(type.name) ?? []).map(step =>
    step.kind === 'list'
      ? draftListStep(context, type, step, values)
      : draftRefStep(context, drafted, step, values),
  )
  return {
    key: `record ${context.numbers.get(layout)} (${steps.map(({ key }) => key).join(', ')})`,
    create: () =>
      new RecordPlan(
        layout,
        steps.map(({ create }) => create()),
      ),
  }
}

/** The maximum number of plans that are kept for hints of later calls. */
const MAX_PLANS = 1000

/** The plans of records. Queries send the same hints again, or, under conditions, hints of the same form. */
export class RecordPlans {
  readonly #context: PlanContext
  readonly #plain = new Memo<RecordLayout, CompiledRecord>()
  readonly #ahead = new Memo<ReadAhead, Memo<RecordLayout, CompiledRecord>>()
  readonly #byKey = new BoundedMap<RecordPlan>(MAX_PLANS)

  constructor(context: PlanContext) {
    this.#context = context
  }

  /** Returns the plan of the records of a type, for wanted fields and a hint. */
  get(type: TypeMapping, fields: WantedFields | undefined, ahead: ReadAhead | undefined): CompiledRecord {
    const hint = ahead?.has(type.name) === true ? ahead : undefined
    const plans = hint === undefined ? this.#plain : this.#ahead.get(hint, () => new Memo())
    return plans.get(this.#context.layouts.get(type, fields), () => {
      const values = new PartValues(this.#context.sessionFilters)
      const plan = this.#planOf(draftRecord(this.#context, { type, fields, ahead: hint }, values))
      return { plan, values: values.values }
    })
  }

  #planOf({ key, create }: PlanDraft<RecordPlan>): RecordPlan {
    const existing = this.#byKey.get(key)
    if (existing !== undefined) return existing
    const created = create()
    this.#byKey.set(key, created)
    return created
  }
}
