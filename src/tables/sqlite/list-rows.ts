import type { EdgeEntry, RangeResult } from '../../store/contract.ts'
import type { ListMapping } from '../model/table-model.ts'
import { positionOf } from '../rows/entry-layout.ts'
import type { RecordLayout } from '../rows/record-layout.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { examinedSql, type ListQuery, type RangeForm, rangeSql } from './list-sql.ts'
import type { TableRead } from './query-context.ts'
import { EntryReader } from './record-cells.ts'
import type { CellRow } from './row-statements.ts'
import { createTemplate, type MutableValues, type SqlTemplate } from './sql-template.ts'

/** A range without its counts. */
export type ListRangePage = Omit<RangeResult, 'total' | 'passing'>

/** The limits of a range under a condition. */
type ExaminedLimits = { readonly limit: number; readonly maxExamined: number }

/** The number of rows between two looks at the clock. */
const ROWS_PER_CHECK = 500

/** The rows of one list with some fields of its targets. It creates the statement of each form once. */
export class ListRows {
  readonly #list: ListMapping
  readonly #record: RecordLayout
  readonly #sessionFilters: SessionFilters
  readonly #reader: EntryReader
  readonly #templates = new Map<string, readonly SqlTemplate[]>()

  constructor(list: ListMapping, record: RecordLayout, sessionFilters: SessionFilters) {
    this.#list = list
    this.#record = record
    this.#sessionFilters = sessionFilters
    this.#reader = new EntryReader(list, record)
  }

  /** Reads the entries of a range. */
  readPage(form: RangeForm, values: MutableValues, limit: number, read: TableRead): ListRangePage {
    const rows: CellRow[] = []
    for (const template of this.#templatesOf(form)) {
      values.n = limit + 1 - rows.length
      if (values.n > 0) rows.push(...read.statements.all(template, values))
    }
    const entries = rows.slice(0, limit).flatMap(cells => this.#reader.read(cells, 0) ?? [])
    const last = entries.at(-1)
    return { entries, hasMore: rows.length > limit, lastExamined: last && positionOf(last) }
  }

  /** Examines the entries of a range under a condition, until enough of them pass. */
  readExamined(
    form: RangeForm,
    condition: string,
    values: MutableValues,
    { limit, maxExamined }: ExaminedLimits,
    read: TableRead,
  ): ListRangePage {
    const entries: EdgeEntry[] = []
    let examined = 0
    let last: CellRow | undefined
    let hasMore = false
    for (const cells of this.#examine(form, condition, values, maxExamined + 1, read)) {
      hasMore = entries.length === limit || examined === maxExamined
      if (hasMore) break
      examined++
      last = cells
      if (examined % ROWS_PER_CHECK === 0) read.assertInTime()
      const entry = cells[0] === 1n ? this.#reader.read(cells, this.#reader.positionWidth + 1) : undefined
      if (entry !== undefined) entries.push(entry)
    }
    const lastExamined = last && this.#reader.readPosition(last, 1)
    return { entries, hasMore, lastExamined, examined }
  }

  *#examine(
    form: RangeForm,
    condition: string,
    values: MutableValues,
    limit: number,
    read: TableRead,
  ): Generator<CellRow> {
    let count = 0
    for (const sql of examinedSql(this.#queryOf(form), condition)) {
      values.n = limit - count
      for (const cells of read.statements.iterate(createTemplate(sql), values)) {
        count++
        yield cells
      }
    }
  }

  #templatesOf(form: RangeForm): readonly SqlTemplate[] {
    const { isNewest, start, window } = form
    const key = [isNewest, start, window?.minTime === undefined, window?.endTime === undefined].join()
    const existing = this.#templates.get(key)
    if (existing !== undefined) return existing
    const created = rangeSql(this.#queryOf(form)).map(createTemplate)
    this.#templates.set(key, created)
    return created
  }

  #queryOf(form: RangeForm): ListQuery {
    const { fields } = this.#record
    return { list: this.#list, fields, form, sessionFilters: this.#sessionFilters }
  }
}
