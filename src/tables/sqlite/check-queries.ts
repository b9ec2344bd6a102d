import type { EdgeCheck, EdgeRecord } from '../../store/contract.ts'
import type { ListMapping } from '../model/table-model.ts'
import { toEdgeRecord } from '../rows/entry-layout.ts'
import { Memo } from '../rows/memo.ts'
import { RecordLayout } from '../rows/record-layout.ts'
import { findList, parseIdOf } from '../rows/row-ids.ts'
import { allOf } from '../sql/sql-text.ts'
import { aliasesOf, listRowsSql } from './entries-sql.ts'
import { entryReferences, selectSql } from './list-sql.ts'
import type { TableQueryContext, TableRead } from './query-context.ts'
import { EntryReader } from './record-cells.ts'
import { ownKeySql, referenceEqualsSql } from './row-sql.ts'
import {
  bindKey,
  createTemplate,
  keyParameters,
  type MutableValues,
  type SqlTemplate,
} from './sql-template.ts'

/** How the entries of a list are found by their ends, and read. */
type CheckPlan = { readonly template: SqlTemplate; readonly reader: EntryReader }

const createPlan = (list: ListMapping, { sessionFilters }: TableQueryContext): CheckPlan => {
  const { isJoin, target, targetColumns } = list
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
  return {
    template: createTemplate(`select ${columns} from ${rows.from} where ${conditions} limit 1`),
    reader: new EntryReader(list, new RecordLayout(target, [])),
  }
}

/** Checks whether entries of lists exist. */
export class CheckQueries {
  readonly #context: TableQueryContext
  readonly #plans = new Memo<ListMapping, CheckPlan>()

  constructor(context: TableQueryContext) {
    this.#context = context
  }

  /** Checks one edge. An id that is not a key of its type is the end of no edge. */
  read(check: EdgeCheck, read: TableRead): boolean | EdgeRecord {
    const requested = findList(this.#context.model, check)
    const targetKey = requested && parseIdOf(this.#context.model, requested.list.target, check.target)
    if (requested === undefined || targetKey === undefined) return false
    const { list, sourceKey } = requested
    const plan = this.#plans.get(list, () => createPlan(list, this.#context))
    const values: MutableValues = { ...read.sessionValues }
    bindKey(values, 's', list.source?.keys ?? [], sourceKey)
    bindKey(values, 't', list.target.keys, targetKey)
    const [cells] = read.statements.all(plan.template, values)
    if (cells === undefined || check.data !== true) return cells !== undefined
    const entry = plan.reader.read(cells, 0)
    return entry !== undefined && toEdgeRecord(check, entry)
  }
}
