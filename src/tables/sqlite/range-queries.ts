import type { EdgeRange, RangeResult, WantedFields } from '../../store/contract.ts'
import type { ListMapping } from '../model/table-model.ts'
import { createEmptyRange } from '../rows/empty-range.ts'
import { Memo } from '../rows/memo.ts'
import { readStart, type StartPosition } from '../rows/positions.ts'
import type { RecordLayout } from '../rows/record-layout.ts'
import { type FoundList, findList } from '../rows/row-ids.ts'
import { MAX_EXAMINED } from '../sql/range-limits.ts'
import { compileConditions, type RangeCondition } from './condition-sql.ts'
import { maxCountOf, passingSql, readTotal, totalSql } from './count-sql.ts'
import { type ListRangePage, ListRows } from './list-rows.ts'
import type { TableQueryContext, TableRead } from './query-context.ts'
import { bindKey, createTemplate, type MutableValues, type SqlTemplate, toBinding } from './sql-template.ts'
import { bindWindow, windowOf } from './time-window.ts'

const bindStart = (
  values: MutableValues,
  { order, target }: ListMapping,
  start: StartPosition | undefined,
): void => {
  if (start === undefined) return
  bindKey(values, 'f', target.keys, start.key)
  if (order.column !== undefined && start.value !== undefined) values.o = toBinding(order.column, start.value)
}

/** Reads ranges of lists. */
export class RangeQueries {
  readonly #context: TableQueryContext
  readonly #lists = new Memo<ListMapping, Memo<RecordLayout, ListRows>>()
  readonly #totals = new Memo<ListMapping, SqlTemplate>()

  constructor(context: TableQueryContext) {
    this.#context = context
  }

  /**
   * Reads a range.
   *
   * @throws GraphError `invalid_parameter` for a position that no row of its list can have.
   */
  read(range: EdgeRange, fields: WantedFields | undefined, read: TableRead): RangeResult {
    const requested = findList(this.#context.model, range)
    if (requested === undefined) return createEmptyRange(range.count)
    const { list } = requested
    const start = readStart(this.#context.model, list, range)
    const condition = range.conditions && this.#compileConditions(list, range.conditions)
    const values: MutableValues = { ...read.sessionValues, ...condition?.values }
    bindKey(values, 's', list.source?.keys ?? [], requested.sourceKey)
    const total = range.count ? this.#count(list, range, values, read) : undefined
    const passing = this.#countPassing(requested, range, total, condition, values, read)
    const page = this.#readPage(list, range, start, condition, fields, values, read)
    return { ...page, total, ...(passing !== undefined && { passing }) }
  }

  #compileConditions(
    list: ListMapping,
    conditions: NonNullable<EdgeRange['conditions']>,
  ): RangeCondition | undefined {
    const { model, sessionFilters } = this.#context
    return compileConditions(model, sessionFilters, list.target, conditions)
  }

  #count(list: ListMapping, range: EdgeRange, values: MutableValues, read: TableRead): number | undefined {
    const maxCount = maxCountOf(list, range)
    const template = this.#totals.get(list, () =>
      createTemplate(totalSql(list, this.#context.sessionFilters)),
    )
    // One more row shows that the list is longer.
    const [row] = read.statements.all(template, { ...values, c: maxCount + 1 })
    // Without a row, the source is not a node.
    return row === undefined ? 0 : readTotal(list, row[0], maxCount)
  }

  /** Counts the entries that pass, unless the engine must evaluate them, or the list is long. */
  #countPassing(
    { list }: FoundList,
    { maxExamined = MAX_EXAMINED }: EdgeRange,
    total: number | undefined,
    condition: RangeCondition | undefined,
    values: MutableValues,
    read: TableRead,
  ): number | undefined {
    const isExact = condition?.isExact === true && list.count.kind !== 'column'
    if (!isExact || total === undefined || total > maxExamined) return undefined
    read.assertInTime()
    const template = createTemplate(passingSql(list, condition.sql, this.#context.sessionFilters))
    const [row] = read.statements.all(template, values)
    return Number(row?.[0] ?? 0)
  }

  #readPage(
    list: ListMapping,
    range: EdgeRange,
    start: StartPosition | undefined,
    condition: RangeCondition | undefined,
    fields: WantedFields | undefined,
    values: MutableValues,
    read: TableRead,
  ): ListRangePage {
    const { limit, direction, maxExamined = MAX_EXAMINED } = range
    if (limit === 0) return { ...createEmptyRange(false), ...(condition && { examined: 0 }) }
    const window = windowOf(list.order, range)
    const form = {
      isNewest: direction === 'newest',
      start: start === undefined ? 'none' : start.isNull ? 'null' : 'value',
      window,
    } as const
    bindStart(values, list, start)
    if (window !== undefined) bindWindow(values, window)
    read.assertInTime()
    const rows = this.#rowsOf(list, fields)
    if (condition === undefined) return rows.readPage(form, values, limit, read)
    return rows.readExamined(form, condition.sql, values, { limit, maxExamined }, read)
  }

  #rowsOf(list: ListMapping, fields: WantedFields | undefined): ListRows {
    const layout = this.#context.layouts.get(list.target, fields)
    return this.#lists
      .get(list, () => new Memo())
      .get(layout, () => new ListRows(list, layout, this.#context.sessionFilters))
  }
}
