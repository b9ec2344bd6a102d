import type { JsonValue } from '../../base/json.ts'
import type { EdgeEntry, EdgeRange, RangeResult } from '../../store/contract.ts'
import type { ListMapping, TableColumn } from '../model/table-model.ts'
import { EntryLayout, positionOf } from '../rows/entry-layout.ts'
import type { SelectedRow } from '../rows/record-layout.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import type { EntryAliases, EntryRows } from '../sql/entry-rows.ts'
import { type RangeBounds, stretchesOf } from '../sql/stretches.ts'
import { orderValueSql } from './column-sql.ts'
import { type ConditionSql, withHeldCondition } from './condition-sql.ts'
import { passingSql, readTotal, totalSql } from './count-sql.ts'
import { aliasesOf, entryRowsSql, sourceKeysOf } from './entries-sql.ts'
import { createRowFlattener, isJsonArray, jsonArraySql } from './json-arrays.ts'
import { type OrderedRows, orderedRowsSql, renameColumns, type UsedColumns } from './ordered-rows.ts'
import { fieldsSql, keySql, type RecordPlan } from './record-plan.ts'
import { columnsOfFields } from './selected-columns.ts'

/** The condition of a list, and the maximum number of rows that it is evaluated for, as an expression. */
type ListFilter = { readonly condition: ConditionSql; readonly maxExamined: string }

/** The options of a plan. Limits are expressions. */
export type ListPlanOptions = {
  readonly list: ListMapping
  readonly record: RecordPlan
  readonly bounds: RangeBounds
  /** The number of rows to read: one more than the limit of the range, or 0. */
  readonly rowLimit: string
  readonly isCounted: boolean
  /** The maximum number of rows of an exact count. */
  readonly maxCounted: string
  readonly filter: ListFilter | undefined
  readonly sessionFilters: SessionFilters
}

/** The rows of a range under conditions that were examined, and what is known of each of them. */
const EXAMINED = 'examined'
const EXAMINED_COLUMNS = {
  ordinal: `${EXAMINED}.ordinal`,
  isLast: `${EXAMINED}.is_last`,
  held: `${EXAMINED}.held`,
}

/** How a range of a list is selected as one JSON value, and read from it. */
export class ListPlan {
  readonly #options: ListPlanOptions
  readonly #entry: EntryLayout
  readonly #flatten: (row: SelectedRow) => SelectedRow

  constructor(options: ListPlanOptions) {
    const { list, record } = options
    this.#options = options
    this.#entry = new EntryLayout(list, record)
    const dataWidth = fieldsSql('', list.data).length
    this.#flatten = createRowFlattener(1 + dataWidth + record.width)
  }

  /**
   * Returns the JSON value `[total, passing, rows]`.
   *
   * @param source The alias of the row of the source; undefined for a collection.
   */
  sql(source: string | undefined, depth: number): string {
    const { list, isCounted, maxCounted, filter, sessionFilters } = this.#options
    const aliases = aliasesOf(list, depth)
    const rows = entryRowsSql(
      list,
      aliases,
      sourceKeysOf(list, source),
      sessionFilters,
      this.#targetColumns(),
    )
    const page =
      filter === undefined
        ? this.#pageSql(rows, aliases, depth)
        : this.#examinedSql(filter, rows, aliases, depth)
    if (!isCounted) return `json_build_array(null, null, ${page})`
    const total = totalSql(list, rows, source, maxCounted)
    if (filter === undefined || !filter.condition.isExact || list.count.kind === 'column')
      return `json_build_array(${total}, null, ${page})`
    const passing = passingSql(rows, filter.condition.sql(aliases.target))
    const max =
      list.count.kind === 'capped' ? `least(${list.count.max}, ${filter.maxExamined})` : filter.maxExamined
    const bounded = `case when counted.total <= ${max} then ${passing} end`
    return `(select json_build_array(counted.total, ${bounded}, ${page}) from (select ${total} as total) as counted)`
  }

  /** The JSON value of an entry, in the order of its layout. */
  #itemSql({ entry, target }: EntryAliases, depth: number): string {
    const { list, record } = this.#options
    const data = fieldsSql(entry, list.data)
    return jsonArraySql([orderValueSql(entry, list.order), ...data, ...record.sql(target, depth + 1)])
  }

  #pageSql(rows: EntryRows, aliases: EntryAliases, depth: number): string {
    const { rowLimit } = this.#options
    const { from, order } = this.#orderedRows(rows, aliases, rowLimit)
    const page = `select ${this.#itemSql(aliases, depth)} as item from ${from} ${order} limit ${rowLimit}`
    return `(select coalesce(json_agg(page.item), '[]'::json) from (${page}) as page)`
  }

  #orderedRows(rows: EntryRows, aliases: EntryAliases, limit: string): OrderedRows {
    const { list, bounds } = this.#options
    return orderedRowsSql(rows, stretchesOf(list, bounds, aliases.entry), this.#columnsOf(aliases), limit)
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
   * The rows that pass, and the last row that was examined: `[ordinal, is_last, held, row]`. `held` is the index of
   * the condition that holds, and `row` is an entry, or the position of a row that does not pass. The window ends as
   * soon as the page is full, because its rows are already in its order. Its frame of rows spares the server the
   * comparison of neighbours.
   */
  #examinedSql(
    { condition, maxExamined }: ListFilter,
    rows: EntryRows,
    aliases: EntryAliases,
    depth: number,
  ): string {
    const { list, rowLimit } = this.#options
    // One more row shows whether the last one is the last of the list.
    const { from, order } = this.#orderedRows(rows, aliases, `${maxExamined} + 1`)
    const { renamed, restored } = renameColumns(this.#columnsOf(aliases), EXAMINED)
    const columns = [
      'row_number() over list as ordinal',
      'lead(true) over list is null as is_last',
      `${condition.heldSql(aliases.target)} as held`,
      renamed,
    ]
    const { ordinal, isLast, held } = EXAMINED_COLUMNS
    const position = [orderValueSql(aliases.entry, list.order), ...keySql(aliases.target, list.target.keys)]
    const row = `case when ${held} is null then ${jsonArraySql(position)} else ${this.#itemSql(aliases, depth)} end`
    return `(select coalesce(json_agg(page.item), '[]'::json) from (
  select json_build_array(${ordinal}, ${isLast}, ${held}, ${row}) as item from (
    select ${columns.join(', ')} from ${from}
    window list as (${order} rows unbounded preceding) ${order} limit ${maxExamined}
  ) as ${EXAMINED} ${restored}
  where ${held} is not null or ${isLast} or ${ordinal} = ${maxExamined} limit ${rowLimit}
) as page)`
  }

  /** Reads the result of a range. */
  read(value: JsonValue, { limit, maxCounted }: Pick<EdgeRange, 'limit' | 'maxCounted'>): RangeResult {
    const { list, filter, isCounted } = this.#options
    const [total, passing, rows] = isJsonArray(value) ? value : []
    const counted = isCounted ? readTotal(list, total, maxCounted) : undefined
    const selected = isJsonArray(rows) ? rows.filter(isJsonArray) : []
    if (filter === undefined) return this.#readPage(selected, limit, counted)
    const examined = this.#readExamined(filter, selected, limit, counted)
    // A list without a count has none under its conditions either.
    const isPassingKnown = typeof passing === 'number' && counted !== undefined
    return isPassingKnown ? { ...examined, passing } : examined
  }

  #readPage(rows: readonly SelectedRow[], limit: number, total: number | undefined): RangeResult {
    const entries: EdgeEntry[] = []
    const length = Math.min(rows.length, limit)
    for (let index = 0; index < length; index++) {
      const entry = this.#entry.read(this.#flatten(rows[index] ?? []))
      if (entry !== undefined) entries.push(entry)
    }
    const last = entries.at(-1)
    const hasMore = rows.length > limit && limit > 0
    return { entries, hasMore, lastExamined: last && positionOf(last), total }
  }

  #readExamined(
    { condition }: ListFilter,
    rows: readonly SelectedRow[],
    limit: number,
    total: number | undefined,
  ): RangeResult {
    const entries: EdgeEntry[] = []
    for (const [ordinal, , held, row] of rows) {
      const entry = typeof held === 'number' && isJsonArray(row) && this.#entry.read(this.#flatten(row))
      if (!entry) continue
      const { target, time, key, data } = entry
      const node = condition.isExact ? withHeldCondition(entry.node, held) : entry.node
      entries.push({ target, time, key, data, node, ordinal: Number(ordinal) })
    }
    const [ordinal, isLast, held, row] = rows.at(-1) ?? []
    const last = typeof held === 'number' ? entries.at(-1) : undefined
    const position = held === null && isJsonArray(row) ? this.#entry.readPosition(row) : undefined
    return {
      entries,
      hasMore: limit > 0 && isLast === false,
      lastExamined: last === undefined ? position : positionOf(last),
      total,
      examined: Number(ordinal ?? 0),
    }
  }
}
