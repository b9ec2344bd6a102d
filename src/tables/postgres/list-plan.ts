import type { JsonValue } from '../../base/json.ts'
import type { EdgeEntry, EdgeRange, RangeResult } from '../../store/contract.ts'
import type { ListMapping, TableColumn } from '../model/table-model.ts'
import { EntryLayout, positionOf } from '../rows/entry-layout.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import type { EntryAliases, EntryRows } from '../sql/entry-rows.ts'
import { columnSql } from '../sql/sql-text.ts'
import { orderColumnsOf, type RangeBounds, stretchesOf } from '../sql/stretches.ts'
import { orderValueSql } from './column-sql.ts'
import { type ConditionRow, type ConditionSql, readHeld } from './condition-sql.ts'
import { passingSql, readTotal, totalSql } from './count-sql.ts'
import { aliasesOf, constantsOf, entryRowsSql, sourceKeysOf } from './entries-sql.ts'
import { countedRowsSql, EXAMINED_START, IS_HELD, numberedRowsSql, readExaminedRows } from './examined-sql.ts'
import { flattenRow, isJsonArray, jsonArraySql } from './json-arrays.ts'
import { orderedRowsSql, type UsedColumns } from './ordered-rows.ts'
import { fieldsSql, type JoinedRef, keySql, type RecordPlan } from './record-plan.ts'
import { columnsOfFields } from './selected-columns.ts'

/** The condition of a list. */
type ListFilter = {
  readonly condition: ConditionSql
  /** The maximum number of rows that it is evaluated for, as an expression. */
  readonly maxExamined: string
  /** Whether these may be more than a few rows. */
  readonly mayBeLong: boolean
  /** The number of rows that need their optional steps, as an expression. By default, all do. */
  readonly pageLimit?: string | undefined
}

/** The options of a plan. Limits are expressions. */
export type ListPlanOptions = {
  readonly list: ListMapping
  readonly record: RecordPlan
  readonly bounds: RangeBounds
  /** The number of rows to read, as {@link rowLimitOf} returns it. */
  readonly rowLimit: string
  readonly isCounted: boolean
  /** The maximum number of rows of an exact count. */
  readonly maxCounted: string
  readonly filter: ListFilter | undefined
  readonly sessionFilters: SessionFilters
}

/**
 * Returns how many rows a range reads: one more than its limit shows whether there are more. Under a condition, the last
 * row that was examined shows it.
 */
export const rowLimitOf = (limit: number, isFiltered: boolean): number =>
  limit === 0 || isFiltered ? limit : limit + 1

/**
 * Returns the index of the value of the order among the other values of an entry. Most queries request the time that
 * orders a list, and selecting it twice would take longer than most columns.
 */
const orderOffsetOf = (list: ListMapping, { layout }: RecordPlan): number | undefined => {
  const { entry, target } = aliasesOf(list, 1)
  const ofRecord = [...keySql(target, list.target.keys), ...fieldsSql(target, layout.fields)]
  const offset = [...fieldsSql(entry, list.data), ...ofRecord].indexOf(orderValueSql(entry, list.order))
  return offset < 0 ? undefined : offset
}

/** How a range of a list is selected as one JSON value, and read from it. */
export class ListPlan {
  readonly #options: ListPlanOptions
  readonly #entry: EntryLayout
  readonly #orderOffset: number | undefined

  constructor(options: ListPlanOptions) {
    const { list, record, filter } = options
    const start = filter === undefined ? 0 : EXAMINED_START
    this.#options = options
    this.#orderOffset = orderOffsetOf(list, record)
    this.#entry = new EntryLayout(list, record, start, this.#orderOffset)
  }

  /**
   * Returns the JSON value of a page, or `[total, passing, page]` if the list is counted.
   *
   * @param source The alias of the row of the source; undefined for a collection.
   */
  sql(source: string | undefined, depth: number): string {
    const { list, isCounted, maxCounted, filter, sessionFilters } = this.#options
    const aliases = aliasesOf(list, depth)
    const sourceKeys = sourceKeysOf(list, source)
    const rows = entryRowsSql(list, aliases, sourceKeys, sessionFilters, this.#targetColumns())
    const row = { alias: aliases.target, constants: constantsOf(list, sourceKeys) }
    const page =
      filter === undefined
        ? this.#pageSql(rows, aliases, depth)
        : this.#examinedSql(filter, rows, row, aliases, depth)
    if (!isCounted) return page
    const total = totalSql(list, rows, source, maxCounted)
    if (filter === undefined || !filter.condition.isExact || list.count.kind === 'column')
      return `json_build_array(${total}, null, ${page})`
    const passing = passingSql(rows, filter.condition.sql(row))
    const max =
      list.count.kind === 'capped' ? `least(${list.count.max}, ${filter.maxExamined})` : filter.maxExamined
    const bounded = `case when counted.total <= ${max} then ${passing} end`
    return `(select json_build_array(counted.total, ${bounded}, ${page}) from (select ${total} as total) as counted)`
  }

  /** The values of an entry, in the order of its layout. */
  #itemSql(
    { entry, target }: EntryAliases,
    depth: number,
    joined?: JoinedRef,
    needed?: string,
  ): readonly string[] {
    const { list, record } = this.#options
    const data = fieldsSql(entry, list.data)
    const order = this.#orderOffset === undefined ? [orderValueSql(entry, list.order)] : []
    return [...order, ...data, ...record.sql(target, depth + 1, joined, needed)]
  }

  #pageSql(rows: EntryRows, aliases: EntryAliases, depth: number): string {
    const { list, bounds, rowLimit } = this.#options
    const stretches = stretchesOf(list, bounds, aliases.entry)
    const { from, order } = orderedRowsSql(rows, stretches, this.#columnsOf(aliases), rowLimit)
    const page = `select ${jsonArraySql(this.#itemSql(aliases, depth))} as item from ${from} ${order} limit ${rowLimit}`
    return `(select coalesce(json_agg(page.item), '[]'::json) from (${page}) as page)`
  }

  /** The columns that an entry uses, by their alias. */
  #columnsOf({ entry, target }: EntryAliases): UsedColumns {
    const { column } = this.#options.list.order
    const ofEntry = [...(column === undefined ? [] : [column]), ...columnsOfFields(this.#options.list.data)]
    const ofTarget = this.#targetColumns()
    return entry === target
      ? new Map([[target, [...ofEntry, ...ofTarget]]])
      : new Map([
          [entry, ofEntry],
          [target, ofTarget],
        ])
  }

  #targetColumns(): readonly TableColumn[] {
    const { record, filter } = this.#options
    return [...record.columns, ...(filter?.condition.columns ?? [])]
  }

  /**
   * The rows that a range examines under conditions. Few rows are numbered, because a count is one more query for each
   * list. So are rows whose count would look up their targets again, and rows without a value of their order, which no
   * comparison finds.
   */
  #examinedSql(
    { condition, maxExamined, mayBeLong, pageLimit }: ListFilter,
    rows: EntryRows,
    row: ConditionRow,
    aliases: EntryAliases,
    depth: number,
  ): string {
    const { list, record, bounds, rowLimit } = this.#options
    const { entry, target } = aliases
    const isNumbered = !mayBeLong || depth > 1 || list.isJoin || list.order.nulls === 'end'
    const { ofRef } = condition
    const joined = isNumbered && ofRef ? record.joinRef(ofRef.ref, target, depth + 1, IS_HELD) : undefined
    const used = this.#columnsOf(aliases)
    const hasLimit = pageLimit !== undefined && record.hasOptionalSteps
    // One more row shows whether the last one is the last of the list.
    const examined = {
      rows: orderedRowsSql(rows, stretchesOf(list, bounds, entry), used, `${maxExamined} + 1`),
      used,
      held: (joined === undefined ? condition : (ofRef ?? condition)).heldSql(row),
      item: (number: string) =>
        this.#itemSql(aliases, depth, joined, hasLimit ? `${number} <= ${pageLimit}` : undefined),
      position: [orderValueSql(entry, list.order), ...keySql(target, list.target.keys)],
      rowLimit,
      maxExamined,
    }
    if (isNumbered) return numberedRowsSql(examined, joined && ofRef && { ...joined, index: ofRef.index })
    const columns = orderColumnsOf(list).map(column => columnSql(entry, column))
    return countedRowsSql(examined, { columns, isNewest: bounds.isNewest })
  }

  /** Reads the result of a range. */
  read(value: JsonValue, { limit, maxCounted }: Pick<EdgeRange, 'limit' | 'maxCounted'>): RangeResult {
    const { list, filter, isCounted } = this.#options
    const [total, passing, page] = !isCounted ? [null, null, value] : isJsonArray(value) ? value : []
    const counted = isCounted ? readTotal(list, total, maxCounted) : undefined
    if (filter === undefined) return this.#readPage(page, limit, counted)
    const examined = this.#readExamined(filter, page, limit, counted)
    // A list without a count has none under its conditions either.
    const isPassingKnown = typeof passing === 'number' && counted !== undefined
    return isPassingKnown ? { ...examined, passing } : examined
  }

  #readPage(page: JsonValue | undefined, limit: number, total: number | undefined): RangeResult {
    const rows = isJsonArray(page) ? page.filter(isJsonArray) : []
    const entries: EdgeEntry[] = []
    const length = Math.min(rows.length, limit)
    for (let index = 0; index < length; index++) {
      const entry = this.#entry.read(flattenRow(rows[index] ?? []))
      if (entry !== undefined) entries.push(entry)
    }
    const last = entries.at(-1)
    const hasMore = rows.length > limit && limit > 0
    return { entries, hasMore, lastExamined: last && positionOf(last), total }
  }

  #readExamined(
    { condition }: ListFilter,
    page: JsonValue | undefined,
    limit: number,
    total: number | undefined,
  ): RangeResult {
    const { rows, end } = readExaminedRows(page)
    const entries: EdgeEntry[] = []
    for (const row of rows) {
      const entry = this.#entry.read(row, condition.isExact ? readHeld(row[0]) : undefined)
      if (entry !== undefined) entries.push(entry)
    }
    const [held, examined, isLast] = end
    const last = entries.at(-1)
    return {
      entries,
      hasMore: limit > 0 && isLast === false,
      lastExamined: held === null ? this.#entry.readPosition(end) : last && positionOf(last),
      total,
      examined: Number(examined ?? 0),
    }
  }
}
