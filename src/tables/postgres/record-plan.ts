import type { NodeId } from '../../base/ids.ts'
import type { JsonValue } from '../../base/json.ts'
import type { AheadResult, NodeRecord } from '../../store/contract.ts'
import type { FieldMapping, TableColumn } from '../model/table-model.ts'
import type { RowReader } from '../rows/entry-layout.ts'
import type { RecordLayout, SelectedRow } from '../rows/record-layout.ts'
import { allOf, columnSql, tableSql } from '../sql/sql-text.ts'
import { keyValueSql, valueSql } from './column-sql.ts'
import { isLoose } from './loose-columns.ts'
import { columnsEqualSql } from './row-sql.ts'
import { columnsOfFields } from './selected-columns.ts'

/** The expressions of the columns of a key. */
export const keySql = (alias: string, columns: readonly TableColumn[]): readonly string[] =>
  columns.map(column => keyValueSql(alias, column))

const REFERENCED = 'referenced'

/**
 * The expressions of the key of the row that a ref leads to. Equal keys may have different texts, such as `ada` and
 * `Ada`, and an id has the text of its own row.
 */
const refSql = (
  alias: string,
  { columns, target }: Extract<FieldMapping, { kind: 'ref' }>,
): readonly string[] => {
  const references = columns.map(column => columnSql(alias, column))
  const conditions = allOf(columnsEqualSql(REFERENCED, target.keys, references, columns))
  const row = `${tableSql(target.table)} as ${REFERENCED} where ${conditions} limit 1`
  return columns.map((column, index) => {
    const own = keyValueSql(alias, column)
    const key = target.keys[index]
    if (key === undefined || !(isLoose(column) || isLoose(key))) return own
    return `coalesce((select ${columnSql(REFERENCED, key)}::text from ${row}), ${own}::text)`
  })
}

/** The expressions of the columns of some fields. The columns of a ref are read as a key. */
export const fieldsSql = (alias: string, fields: readonly FieldMapping[]): readonly string[] =>
  fields.flatMap(field => (field.kind === 'ref' ? refSql(alias, field) : [valueSql(alias, field.column)]))

/** One step of a hint: rows that are read together with the row that leads to them. */
export interface StepPlan {
  /** The columns of the row that the step uses. */
  readonly columns: readonly TableColumn[]
  /** The JSON value that contains the result. `depth` makes the names of nested queries unique. */
  sql(alias: string, depth: number): string
  /** Reads the result from this value. */
  read(value: JsonValue): AheadResult
  /** Whether a query may leave it out for some rows, whose value is then NULL. */
  readonly isOptional?: boolean
  /** How the query of the row joins the node of a ref instead, for rows for which a condition holds. */
  readonly ref?: {
    readonly field: string
    join(alias: string, depth: number, condition: string): JoinedRef
  }
}

/** The node of a ref that the query of a row joins. */
export type JoinedRef = {
  /** The step that reads it. Other steps may read other fields of the same ref. */
  readonly step: StepPlan
  /** The clause that joins it. */
  readonly join: string
  /** The condition that the ref leads to a node. */
  readonly isFound: string
  /** The JSON value that the step reads. */
  readonly sql: string
}

/** How a record is selected and read: the columns of its layout, then one value for each step of a hint. */
export class RecordPlan implements RowReader {
  readonly layout: RecordLayout
  /** The number of expressions. */
  readonly width: number
  /** The columns of the row that the expressions use. */
  readonly columns: readonly TableColumn[]
  readonly #steps: readonly StepPlan[]

  constructor(layout: RecordLayout, steps: readonly StepPlan[]) {
    this.layout = layout
    this.#steps = steps
    this.width = layout.width + steps.length
    this.columns = [
      ...layout.type.keys,
      ...columnsOfFields(layout.fields),
      ...steps.flatMap(({ columns }) => columns),
    ]
  }

  /** Whether some steps may be left out for some rows. */
  get hasOptionalSteps(): boolean {
    return this.#steps.some(step => step.isOptional)
  }

  /**
   * The expressions of a record that an alias contains.
   *
   * @param joined The ref whose node the query joins.
   * @param needed The condition for the rows that need the optional steps. By default, all rows need them.
   */
  sql(alias: string, depth: number, joined?: JoinedRef, needed?: string): readonly string[] {
    const { type, fields } = this.layout
    const stepSql = (step: StepPlan): string => {
      if (step === joined?.step) return joined.sql
      const value = step.sql(alias, depth)
      return step.isOptional && needed !== undefined ? `case when ${needed} then ${value} end` : value
    }
    return [...keySql(alias, type.keys), ...fieldsSql(alias, fields), ...this.#steps.map(stepSql)]
  }

  /** Returns how a query joins the node of a ref. Returns undefined if no step reads it. */
  joinRef(field: string, alias: string, depth: number, condition: string): JoinedRef | undefined {
    return this.#steps.find(({ ref }) => ref?.field === field)?.ref?.join(alias, depth, condition)
  }

  readId(row: SelectedRow, start: number): NodeId | undefined {
    return this.layout.readId(row, start)
  }

  read(row: SelectedRow, start: number, heldCondition?: number): NodeRecord | undefined {
    const { layout } = this
    const id = layout.readId(row, start)
    if (id === undefined) return undefined
    const fields = layout.readFields(row, start)
    const stepsStart = start + layout.width
    const ahead =
      this.#steps.length === 0
        ? undefined
        : this.#steps.map((step, index) => step.read(row[stepsStart + index] ?? null))
    return { id, type: layout.type.name, fields, ahead, heldCondition }
  }
}
