import type { NodeId } from '../../base/ids.ts'
import type { NodeRecord, WantedFields } from '../../store/contract.ts'
import { Memo } from '../rows/memo.ts'
import type { RecordLayout } from '../rows/record-layout.ts'
import { parseRowId } from '../rows/row-ids.ts'
import { allOf, tableSql } from '../sql/sql-text.ts'
import { type CellReader, readCells } from './cells.ts'
import { fieldReferences, selectSql } from './list-sql.ts'
import type { TableQueryContext, TableRead } from './query-context.ts'
import { createRecordReaders } from './record-cells.ts'
import { nodeSql, ownKeySql, referencesOf } from './row-sql.ts'
import {
  bindKey,
  createTemplate,
  keyParameters,
  type MutableValues,
  type SqlTemplate,
} from './sql-template.ts'

/** How records with some fields are selected by their keys, and read. */
type NodePlan = { readonly template: SqlTemplate; readonly readers: readonly CellReader[] }

const NODE = 'node'

/** Reads nodes by their ids. */
export class NodeQueries {
  readonly #context: TableQueryContext
  readonly #plans = new Memo<RecordLayout, NodePlan>()

  constructor(context: TableQueryContext) {
    this.#context = context
  }

  /** Reads a node. An id that is not a key of its type is a missing node. */
  read(id: NodeId, fields: WantedFields | undefined, read: TableRead): NodeRecord | undefined {
    const row = parseRowId(this.#context.model, id)
    if (row === undefined) return undefined
    const layout = this.#context.layouts.get(row.type, fields)
    const { template, readers } = this.#plans.get(layout, () => this.#createPlan(layout))
    const values: MutableValues = { ...read.sessionValues }
    bindKey(values, 's', row.type.keys, row.key)
    const [cells] = read.statements.all(template, values)
    return cells && layout.read(readCells(readers, cells, 0), 0)
  }

  #createPlan(layout: RecordLayout): NodePlan {
    const { type, fields } = layout
    const columns = selectSql([...referencesOf(NODE, type.keys), ...fieldReferences(NODE, fields)])
    const conditions = allOf([
      ...ownKeySql(NODE, type.keys, keyParameters('s', type.keys)),
      ...nodeSql(type, NODE, this.#context.sessionFilters),
    ])
    const sql = `select ${columns} from ${tableSql(type.table)} as ${NODE} where ${conditions} limit 1`
    return { template: createTemplate(sql), readers: createRecordReaders(layout) }
  }
}
