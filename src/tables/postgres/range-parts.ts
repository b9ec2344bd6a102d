import type { EdgeRange, RangeResult, StoreReadRequest } from '../../store/contract.ts'
import type { ListMapping } from '../model/table-model.ts'
import { readStart, type StartPosition } from '../rows/positions.ts'
import { type FoundList, findList } from '../rows/row-ids.ts'
import { MAX_COUNTED, MAX_EXAMINED } from '../sql/range-limits.ts'
import type { CompiledRecord } from './ahead-plans.ts'
import { type ConditionSql, compileConditions } from './condition-sql.ts'
import { ListPlan, rowLimitOf } from './list-plan.ts'
import type { PartContext } from './part-context.ts'
import { PartValues } from './part-values.ts'
import { addBounds, type BoundsForm, boundColumns, boundsOf, formOf } from './range-bounds.ts'
import type { PartQuery, ReadParts } from './read-parts.ts'
import { addKey, REQUESTED, type RequestedRow, requestedKey } from './requested-rows.ts'
import { sourceSql } from './source-sql.ts'

/** The form of a range. Ranges of the same form have the same query. */
type RangeForm = {
  readonly list: ListMapping
  readonly bounds: BoundsForm
  readonly isCounted: boolean
  readonly record: CompiledRecord
  readonly condition: ConditionSql | undefined
}

const createPlan = (
  { list, bounds, isCounted, record, condition }: RangeForm,
  { sessionFilters }: PartContext,
): ListPlan =>
  new ListPlan({
    list,
    record: record.plan,
    bounds: boundsOf(list, bounds),
    rowLimit: `${REQUESTED}.n`,
    isCounted,
    maxCounted: `${REQUESTED}.c`,
    filter: condition && { condition, maxExamined: `${REQUESTED}.m`, mayBeLong: true },
    sessionFilters,
  })

/** Returns the plan of a range. Ranges with the same key share it, whatever the values of their conditions are. */
const planOf = (form: RangeForm, key: string, context: PartContext): ListPlan => {
  const existing = context.plans.get(key)
  if (existing !== undefined) return existing
  const created = createPlan(form, context)
  context.plans.set(key, created)
  return created
}

/** Whether a range counts all rows of its list. */
const countsRows = ({ list, isCounted }: Pick<RangeForm, 'list' | 'isCounted'>): boolean =>
  isCounted && list.count.kind === 'exact'

const createQuery = (form: RangeForm, plan: ListPlan, { sessionFilters }: PartContext): PartQuery => {
  const { list, bounds, condition, isCounted } = form
  const { alias, from } = sourceSql(list, sessionFilters, isCounted)
  return {
    columns: [
      ...requestedKey('s', list.source?.keys ?? []),
      ...boundColumns(list, bounds),
      ['n', 'int8'],
      ...(countsRows(form) ? [['c', 'int8'] as const] : []),
      ...(condition === undefined ? [] : [['m', 'int8'] as const]),
    ],
    result: plan.sql(alias, 1),
    from,
  }
}

const keyOf = (
  { list, bounds, isCounted, record, condition }: RangeForm,
  { numbers }: PartContext,
): string => {
  const { isNewest, start, hasMin, hasMax } = bounds
  const flags = [isNewest, start, hasMin, hasMax, isCounted].join()
  return `range ${numbers.get(list)} ${flags} ${numbers.get(record.plan)} ${condition?.key ?? '-'}`
}

const toRequestedRow = (
  { list, sourceKey }: FoundList,
  range: EdgeRange,
  start: StartPosition | undefined,
  isFiltered: boolean,
): RequestedRow => {
  const { limit, maxExamined = MAX_EXAMINED } = range
  const row: RequestedRow = { n: rowLimitOf(limit, isFiltered) }
  if (isFiltered) row.m = maxExamined
  if (countsRows({ list, isCounted: range.count })) row.c = range.maxCounted ?? MAX_COUNTED
  addKey(row, 's', list.source?.keys ?? [], sourceKey)
  addBounds(row, list, range, start)
  return row
}

/**
 * Adds the ranges of a request to the parts of its read.
 *
 * @throws GraphError `invalid_parameter` for a position that no row of its list can have.
 */
export const addRanges = (
  context: PartContext,
  { ranges, fields }: StoreReadRequest,
  parts: ReadParts,
  results: RangeResult[],
): void => {
  const { model, sessionFilters } = context
  for (const [index, range] of ranges.entries()) {
    const found = findList(model, range)
    if (found === undefined) continue
    const { list } = found
    const { target } = list
    const start = readStart(model, list, range)
    const record = context.records.get(target, fields, range.ahead)
    const values = new PartValues(sessionFilters, record.values)
    const bounds = formOf(range, list.order, start)
    const condition =
      range.conditions && compileConditions({ model, sessionFilters, values, target, list }, range.conditions)
    const form = { list, bounds, isCounted: range.count, record, condition }
    const key = keyOf(form, context)
    const plan = planOf(form, key, context)
    parts.add(
      {
        key,
        query: () => createQuery(form, plan, context),
        values: values.values,
      },
      toRequestedRow(found, range, start, condition !== undefined),
      result => {
        results[index] = plan.read(result, range)
      },
    )
  }
}
