import type { EdgeCheck, EdgeRecord } from '../../store/contract.ts'
import type { ListMapping } from '../model/table-model.ts'
import { Memo } from '../rows/memo.ts'
import { createPositionReader, type PositionReader } from '../rows/positions.ts'
import { FieldsLayout } from '../rows/record-layout.ts'
import { findList, parseIdOf } from '../rows/row-ids.ts'
import { allOf } from '../sql/sql-text.ts'
import { type CellReader, createFieldReaders, createOrderReader, readCells } from './cells.ts'
import { aliasesOf, listRowsSql } from './entries-sql.ts'
import { entryReferences, selectSql } from './list-sql.ts'
import type { TableQueryContext, TableRead } from './query-context.ts'
import { ownKeySql, referenceEqualsSql } from './row-sql.ts'
import type { CellRow } from './row-statements.ts'
import {
  bindKey,
  createTemplate,
  keyParameters,
  type MutableValues,
  type SqlTemplate,
} from './sql-template.ts'

/** How the entries of a list are found by their ends, and read. */
class CheckPlan {
  readonly template: SqlTemplate
  readonly #readOrder: CellReader
  readonly #readPosition: PositionReader
  readonly #dataReaders: readonly CellReader[]
  readonly #data: FieldsLayout | undefined

  constructor(list: ListMapping, { sessionFilters }: TableQueryContext) {
    const { isJoin, order, target, targetColumns, data } = list
    const aliases = aliasesOf(list)
    const rows = listRowsSql(list, sessionFilters)
    const targetKey = keyParameters('t', target.keys)
    const conditions = allOf([
      // An index of the join table finds the entry.
      ...(isJoin ? referenceEqualsSql(aliases.entry, targetColumns, target.keys, targetKey) : []),
      ...ownKeySql(aliases.target, target.keys, targetKey),
      ...rows.conditions,
    ])
    const columns = selectSql(entryReferences(list, aliases, []))
    this.template = createTemplate(`select ${columns} from ${rows.from} where ${conditions} limit 1`)
    this.#readOrder = createOrderReader(order)
    this.#readPosition = createPositionReader(order)
    this.#dataReaders = data.flatMap(createFieldReaders)
    this.#data = data.length === 0 ? undefined : new FieldsLayout(data)
  }

  /** Reads the record of the edge from the row that was found. */
  read({ source, name, target }: EdgeCheck, cells: CellRow): EdgeRecord {
    const { time } = this.#readPosition(this.#readOrder(cells[0] ?? null))
    const data = this.#data?.read(readCells(this.#dataReaders, cells, 1), 0)
    return { source, name, target, time, ...(data !== undefined && { data }) }
  }
}

/** Checks whether entries of lists exist. */
export class CheckQueries {
  readonly #context: TableQueryContext
  readonly #plans = new Memo<ListMapping, CheckPlan>()

  constructor(context: TableQueryContext) {
    this.#context = context
  }

  /** Checks one edge. An id that is no key of its type is the end of no edge. */
  read(check: EdgeCheck, read: TableRead): boolean | EdgeRecord {
    const requested = findList(this.#context.model, check)
    const targetKey = requested && parseIdOf(this.#context.model, requested.list.target, check.target)
    if (requested === undefined || targetKey === undefined) return false
    const { list, sourceKey } = requested
    const plan = this.#plans.get(list, () => new CheckPlan(list, this.#context))
    const values: MutableValues = { ...read.sessionValues }
    bindKey(values, 's', list.source?.keys ?? [], sourceKey)
    bindKey(values, 't', list.target.keys, targetKey)
    const [cells] = read.statements.all(plan.template, values)
    if (cells === undefined) return false
    return check.data === true ? plan.read(check, cells) : true
  }
}
