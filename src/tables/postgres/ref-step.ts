import type { TableColumn, TypeMapping } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { allOf, columnSql, tableSql } from '../sql/sql-text.ts'
import { type ConditionRow, type ConditionSql, readHeld } from './condition-sql.ts'
import { flattenRow, isJsonArray, jsonArraySql } from './json-arrays.ts'
import type { RecordPlan, StepPlan } from './record-plan.ts'
import { columnsEqualSql, nodeSql } from './row-sql.ts'
import { selectedColumnsSql } from './selected-columns.ts'

/** Each row that a ref leads to is another one. */
const NO_CONSTANTS: ConditionRow['constants'] = new Map()

/** A ref of a record: the type that it leads to, and the columns that are equal to the key of this type. */
type RefPlanOptions = {
  readonly field: string
  readonly target: TypeMapping
  readonly columns: readonly TableColumn[]
  readonly record: RecordPlan
  /** The condition that is evaluated for the node. */
  readonly condition: ConditionSql | undefined
  readonly sessionFilters: SessionFilters
}

/** The node of a ref: its JSON value, the clause that finds its row, and the condition that there is one. */
type RefNode = { readonly item: string; readonly from: string; readonly isFound: string }

const refNodeSql = (
  { target, columns, record, condition, sessionFilters }: RefPlanOptions,
  alias: string,
  depth: number,
  rowConditions: readonly string[] = [],
): RefNode => {
  const keys = columns.map(column => columnSql(alias, column))
  const conditions = allOf([
    ...rowConditions,
    ...columnsEqualSql('node', target.keys, keys, columns),
    ...nodeSql(target, 'node', sessionFilters),
  ])
  const node = `ref${depth}`
  const item = jsonArraySql([
    ...record.sql(node, depth + 1),
    ...(condition === undefined ? [] : [condition.heldSql({ alias: node, constants: NO_CONSTANTS })]),
  ])
  const selected = selectedColumnsSql('node', [...record.columns, ...(condition?.columns ?? [])])
  const from = `(select ${selected} from ${tableSql(target.table)} as node where ${conditions} limit 1) as ${node}`
  return { item, from, isFound: allOf(target.keys.map(key => `${columnSql(node, key)} is not null`)) }
}

/** Creates the step that reads the node of a ref. */
export const createRefStep = (options: RefPlanOptions): StepPlan => {
  const { field, columns, record, condition } = options
  const step: StepPlan = {
    columns,
    sql(alias, depth) {
      const { item, from } = refNodeSql(options, alias, depth)
      return `(select ${item} from ${from})`
    },
    ref: {
      field,
      join(alias, depth, rowCondition) {
        const { item, from, isFound } = refNodeSql(options, alias, depth, [rowCondition])
        return {
          step,
          join: `left join lateral ${from} on true`,
          isFound,
          sql: `case when ${isFound} then ${item} end`,
        }
      },
    },
    read(value) {
      if (!isJsonArray(value)) return { node: undefined }
      const row = flattenRow(value)
      return { node: record.read(row, 0, condition && readHeld(row[record.width])) }
    },
  }
  return step
}
