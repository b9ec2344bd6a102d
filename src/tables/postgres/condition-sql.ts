import type { JsonValue } from '../../base/json.ts'
import type { AheadRef, Condition } from '../../store/contract.ts'
import type { ListMapping, TableColumn, TableModel, TypeMapping } from '../model/table-model.ts'
import { toParameter } from '../rows/key-texts.ts'
import {
  type IndexedCondition,
  type ResolvedCondition,
  resolveConditions,
  type Subject,
} from '../rows/resolved-conditions.ts'
import type { RowKey } from '../rows/row-ids.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { allOf, columnSql } from '../sql/sql-text.ts'
import { parameterType } from './column-sql.ts'
import { type EdgeEnd, type EdgeExistsSql, edgeExistsSql } from './edge-exists-sql.ts'
import { addFieldTest } from './membership-sql.ts'
import type { PartValues } from './part-values.ts'
import { columnsEqualSql } from './row-sql.ts'

/**
 * A row that conditions are about: its alias, and expressions that are equal to some of its columns, by their names, and
 * the same for all rows of a list. The server evaluates what depends on these alone once for a list.
 */
export type ConditionRow = { readonly alias: string; readonly constants: ReadonlyMap<string, string> }

/** The condition in SQL that one of some conditions holds, about the row of a target. */
export type ConditionSql = {
  readonly sql: (target: ConditionRow) => string
  /** The index of the first one that holds, or NULL if none does. */
  readonly heldSql: (target: ConditionRow) => string
  /** How the query of a list that looks up a ref of its targets spares the conditions another look at its node. */
  readonly ofRef: ConditionOfRef | undefined
  /** The columns of the target that it uses. */
  readonly columns: readonly TableColumn[]
  /** Whether the SQL holds exactly if a condition holds. Otherwise, it may also hold for other rows. */
  readonly isExact: boolean
  /** Equal for conditions with the same SQL. */
  readonly key: string
}

/** Conditions of which the last one only holds if a ref leads to a node. */
export type ConditionOfRef = {
  readonly ref: string
  /** The index of the first one that holds if the ref leads to a node. */
  readonly heldSql: (target: ConditionRow) => string
  /** The index of the last one. */
  readonly index: number
}

/** One of the conditions. */
type ConditionPart = Pick<ConditionSql, 'sql' | 'columns' | 'key'> & {
  /** The condition for the rows whose ref leads to a node. */
  readonly ofRef?: { readonly ref: string; readonly sql: (target: ConditionRow) => string } | undefined
}

/** The context of the SQL of conditions. */
type Scope = {
  readonly model: TableModel
  readonly sessionFilters: SessionFilters
  readonly values: PartValues
  readonly target: TypeMapping
  /** The list whose targets the conditions are about, if they are about those of a list. */
  readonly list?: ListMapping
}

const addRow = (values: PartValues, { type, key }: RowKey): readonly string[] =>
  type.keys.map((column, index) => values.add(toParameter(column, key[index] ?? ''), parameterType(column)))

const compileField = (
  { values }: Scope,
  condition: Extract<ResolvedCondition, { kind: 'field' }>,
): ConditionPart => {
  const { sql, size } = addFieldTest(values, condition)
  const { name, column } = condition.field
  return { sql: ({ alias }) => sql(alias), columns: [column], key: `field ${name} ${size}` }
}

const compileNode = (
  { values }: Scope,
  { subject: { ref, columns }, row }: Extract<ResolvedCondition, { kind: 'node' }>,
): ConditionPart => {
  const key = addRow(values, row)
  return {
    sql: ({ alias }) => allOf(columnsEqualSql(alias, columns, key)),
    columns,
    key: `node ${ref ?? ''}`,
  }
}

/** Whether a ref of the targets of a list leads to its source, which is a node. */
const isSourceOf = (list: ListMapping | undefined, { ref, type, columns }: Subject): boolean =>
  ref !== undefined &&
  list?.isJoin === false &&
  list.source === type &&
  list.sourceColumns.every(({ name }, index) => name === columns[index]?.name)

const subjectEndOf = (
  { columns }: Subject,
  { alias, constants }: ConditionRow,
  row: EdgeEnd['row'],
): EdgeEnd => ({
  columns,
  expressions: columns.map(column => constants.get(column.name) ?? columnSql(alias, column)),
  row,
})

const compileEdge = (
  scope: Scope,
  { list, subject, known, isFromKnown, data }: Extract<ResolvedCondition, { kind: 'edge' }>,
): ConditionPart => {
  const { values, sessionFilters } = scope
  const { ref, columns } = subject
  // As the source of the edge, a ref is compared by the key of its row, because their collations may differ.
  const isNode = ref === undefined || (isFromKnown && isSourceOf(scope.list, subject))
  const tests = data.map(test => addFieldTest(values, test))
  const sizes = data.map(({ field }, index) => `${field.name} ${tests[index]?.size}`)
  const knownEnd: EdgeEnd = { columns: known.type.keys, expressions: addRow(values, known), row: 'known' }
  const existsSql = (row: ConditionRow): EdgeExistsSql => {
    const subjectEnd = subjectEndOf(subject, row, isNode ? 'node' : 'any')
    const [source, target] = isFromKnown ? [knownEnd, subjectEnd] : [subjectEnd, knownEnd]
    return edgeExistsSql(
      { list, source, target, data: entry => tests.map(({ sql }) => sql(entry)) },
      sessionFilters,
    )
  }
  return {
    sql: row => {
      const { edge, isNode } = existsSql(row)
      return isNode === undefined ? edge : `${edge} and ${isNode}`
    },
    // Only the target of an entry of a join table is looked up again.
    ofRef:
      ref !== undefined && !isNode && isFromKnown && list.isJoin
        ? { ref, sql: row => existsSql(row).edge }
        : undefined,
    columns,
    key: `edge ${isFromKnown ? 'from' : 'to'} ${known.type.name} ${list.name} ${ref ?? ''} ${sizes.join()}`,
  }
}

const compileCondition = (scope: Scope, condition: ResolvedCondition): ConditionPart => {
  switch (condition.kind) {
    case 'field':
      return compileField(scope, condition)
    case 'node':
      return compileNode(scope, condition)
    case 'edge':
      return compileEdge(scope, condition)
  }
}

const areExact = (resolved: readonly IndexedCondition[]): boolean =>
  resolved.every(({ condition }) => condition.isExact)

/** Returns the index of the first condition that holds, or NULL if none does. */
const firstHeldSql = (
  parts: readonly (Pick<ConditionPart, 'sql'> & { readonly index: number })[],
  target: ConditionRow,
): string => {
  const cases = parts.map(({ index, sql }) => `when ${sql(target)} then ${index}`)
  return cases.length === 0 ? 'null::int' : `case ${cases.join(' ')} end`
}

const compileResolved = (scope: Scope, resolved: readonly IndexedCondition[]): ConditionSql => {
  const parts = resolved.map(({ index, condition }) => ({ index, ...compileCondition(scope, condition) }))
  const last = parts.at(-1)
  return {
    sql: target => (parts.length === 0 ? 'false' : `(${parts.map(({ sql }) => sql(target)).join(' or ')})`),
    heldSql: target => firstHeldSql(parts, target),
    ofRef: last?.ofRef && {
      ref: last.ofRef.ref,
      heldSql: target => firstHeldSql([...parts.slice(0, -1), { ...last, ...last.ofRef }], target),
      index: last.index,
    },
    columns: parts.flatMap(part => part.columns),
    isExact: areExact(resolved),
    key: parts.map(({ index, key }) => `${index} ${key}`).join('|'),
  }
}

/** Returns the conditions of a range in SQL. Returns undefined if SQL cannot evaluate one of them. */
export const compileConditions = (
  scope: Scope,
  conditions: readonly Condition[],
): ConditionSql | undefined => {
  const resolved = resolveConditions(scope.model, scope.target, conditions)
  return resolved && compileResolved(scope, resolved)
}

/** Reads the index of the condition that holds: NULL if none does. */
export const readHeld = (held: JsonValue | undefined): number => (typeof held === 'number' ? held : -1)

/** Whether a condition about the node of a ref is the same test as one about a record that has the ref. */
const isSameTest = (ofNode: Condition, ofRecord: Condition | undefined, ref: string): boolean => {
  if (ofRecord === undefined || ofNode.kind === 'field' || ofRecord.kind === 'field') return false
  if (ofNode.of !== undefined || ofRecord.of !== ref) return false
  if (ofNode.kind === 'node') return ofRecord.kind === 'node' && ofNode.id === ofRecord.id
  if (ofRecord.kind === 'node' || ofNode.where !== undefined || ofRecord.where !== undefined) return false
  return ofNode.name === ofRecord.name && ofNode.from === ofRecord.from && ofNode.to === ofRecord.to
}

/**
 * Compiles the conditions of a ref if SQL evaluates them exactly, because they are only sent for what they say about
 * edges. Returns `undefined` if the conditions of its record decide the same. Conditions that are not compiled add no
 * values, because the plans of records with and without them have the same key.
 */
export const compileRefCondition = (
  scope: Scope,
  { field, conditions }: AheadRef,
  ofRecord: readonly Condition[],
): ConditionSql | undefined => {
  if (conditions === undefined) return undefined
  const isDecided =
    ofRecord.length === conditions.length &&
    conditions.every((condition, index) => isSameTest(condition, ofRecord[index], field))
  const resolved = isDecided ? undefined : resolveConditions(scope.model, scope.target, conditions)
  return resolved && areExact(resolved) ? compileResolved(scope, resolved) : undefined
}
