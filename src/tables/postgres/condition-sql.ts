import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Condition } from '../../store/contract.ts'
import type { FieldMapping, ListMapping, TableColumn, TableModel, TypeMapping } from '../model/table-model.ts'
import { type ComparableField, isExact, toComparableField } from '../rows/comparable-texts.ts'
import { type KeyText, toParameter } from '../rows/key-texts.ts'
import { parseRowId } from '../rows/row-ids.ts'
import { allOf, columnSql } from '../sql/sql-text.ts'
import { parameterType } from './column-sql.ts'
import { edgeFromKnownSql, edgeToKnownSql } from './edge-exists-sql.ts'
import { fieldIn, type Membership, scalarsOf } from './membership-sql.ts'
import type { PartValues } from './part-values.ts'
import { columnsEqualSql, type FilterContext } from './row-sql.ts'

/** A condition in SQL, about the row of a target. */
export type ConditionSql = {
  readonly sql: (target: string) => string
  /** The columns of the target that it uses. */
  readonly columns: readonly TableColumn[]
  /** Whether the SQL holds exactly if the condition holds. Otherwise, it may also hold for other rows. */
  readonly isExact: boolean
  /** Equal for conditions with the same SQL. */
  readonly key: string
}

/** What the SQL of a condition depends on. */
type Scope = {
  readonly model: TableModel
  readonly context: FilterContext
  readonly values: PartValues
  readonly target: TypeMapping
}

const NEVER: ConditionSql = { sql: () => 'false', columns: [], isExact: true, key: 'never' }

/** The row that a condition is about: the target, or the row that a ref of the target leads to. */
type Subject = { readonly type: TypeMapping; readonly columns: readonly TableColumn[] }

const findSubject = ({ target }: Scope, of: string | undefined): Subject | undefined => {
  if (of === undefined) return { type: target, columns: target.keys }
  const field = target.fields.get(of)
  return field?.kind === 'ref' ? { type: field.target, columns: field.columns } : undefined
}

const addKey = (
  { values }: Scope,
  columns: readonly TableColumn[],
  key: readonly KeyText[],
): readonly string[] =>
  columns.map((column, index) => values.add(toParameter(column, key[index] ?? ''), parameterType(column)))

const compileField = (
  scope: Scope,
  { field: name, anyOf }: Extract<Condition, { kind: 'field' }>,
): ConditionSql | undefined => {
  const mapping = scope.target.fields.get(name)
  if (mapping === undefined) return NEVER
  const field = toComparableField(mapping)
  if (field === undefined) return undefined
  const membership = fieldIn(scope.values, field, anyOf)
  if (membership === undefined) return NEVER
  const { sql, size } = membership
  const { column } = field
  return { sql, columns: [column], isExact: isExact(column), key: `field ${name} ${size}` }
}

const compileNode = (
  scope: Scope,
  { of, id }: Extract<Condition, { kind: 'node' }>,
): ConditionSql | undefined => {
  const subject = findSubject(scope, of)
  if (subject === undefined) return scope.target.fields.has(of ?? '') ? undefined : NEVER
  const row = parseRowId(scope.model, id)
  if (row?.type !== subject.type) return NEVER
  const key = addKey(scope, row.type.keys, row.key)
  return {
    sql: target => allOf(columnsEqualSql(target, subject.columns, key)),
    columns: subject.columns,
    isExact: subject.columns.every(isExact) && row.type.keys.every(isExact),
    key: `node ${of ?? ''}`,
  }
}

type DataConditions = {
  readonly sql: (entry: string) => readonly string[]
  readonly isExact: boolean
  readonly key: string
}

/** Returns the conditions about the data of an edge; `never` if no edge has it. */
const compileWhere = (
  scope: Scope,
  data: readonly FieldMapping[],
  where: JsonObject,
): DataConditions | 'never' | undefined => {
  const members: Membership[] = []
  const fields: ComparableField[] = []
  for (const [name, expected] of Object.entries(where)) {
    const mapping = data.find(field => field.name === name)
    const field = toComparableField(mapping)
    if (mapping !== undefined && field === undefined) return undefined
    const membership = field && fieldIn(scope.values, field, scalarsOf(expected))
    if (field === undefined || membership === undefined) return 'never'
    members.push(membership)
    fields.push(field)
  }
  return {
    sql: entry => members.map(({ sql }) => sql(entry)),
    isExact: fields.every(({ column }) => isExact(column)),
    key: fields.map(({ name }, index) => `${name} ${members[index]?.size}`).join(),
  }
}

/** The end of an edge that a condition names, and the columns of the edge at both ends. */
type EdgeEnds = {
  readonly list: ListMapping
  readonly known: TypeMapping
  readonly knownKey: readonly KeyText[]
  readonly isFromKnown: boolean
}

const findEdge = (
  { model }: Scope,
  name: string,
  subject: Subject,
  knownId: NodeId,
  isFromKnown: boolean,
): EdgeEnds | undefined => {
  const row = parseRowId(model, knownId)
  if (row === undefined) return undefined
  const list = (isFromKnown ? row.type : subject.type).lists.get(name)
  const expectedTarget = isFromKnown ? subject.type : row.type
  if (list === undefined || list.target !== expectedTarget) return undefined
  return { list, known: row.type, knownKey: row.key, isFromKnown }
}

const compileEdge = (
  scope: Scope,
  { name, of, from, to, where = {} }: Extract<Condition, { kind: 'edge' }>,
): ConditionSql | undefined => {
  const subject = findSubject(scope, of)
  const knownId = from ?? to
  if (subject === undefined) return scope.target.fields.has(of ?? '') ? undefined : NEVER
  const ends = knownId === undefined ? undefined : findEdge(scope, name, subject, knownId, from !== undefined)
  if (ends === undefined) return NEVER
  const data = compileWhere(scope, ends.list.data, where)
  if (data === undefined) return undefined
  if (data === 'never') return NEVER
  const known = { columns: ends.known.keys, expressions: addKey(scope, ends.known.keys, ends.knownKey) }
  const columns = [
    ...subject.columns,
    ...ends.known.keys,
    ...ends.list.sourceColumns,
    ...ends.list.targetColumns,
  ]
  const side = ends.isFromKnown ? 'from' : 'to'
  return {
    sql: target => {
      const existsSql = ends.isFromKnown ? edgeFromKnownSql : edgeToKnownSql
      const expressions = subject.columns.map(column => columnSql(target, column))
      return existsSql(scope.context, ends.list, known, { columns: subject.columns, expressions }, data.sql)
    },
    columns: subject.columns,
    isExact: data.isExact && columns.every(isExact),
    key: `edge ${side} ${ends.known.name} ${name} ${of ?? ''} ${data.key}`,
  }
}

const compileCondition = (scope: Scope, condition: Condition): ConditionSql | undefined => {
  switch (condition.kind) {
    case 'field':
      return compileField(scope, condition)
    case 'node':
      return compileNode(scope, condition)
    case 'edge':
      return compileEdge(scope, condition)
  }
}

/**
 * Returns the conditions of a range in SQL: one that holds if any of them holds. Returns undefined if one of them
 * cannot be said in SQL.
 */
export const compileConditions = (
  scope: Scope,
  conditions: readonly Condition[],
): ConditionSql | undefined => {
  const compiled: ConditionSql[] = []
  const keys: string[] = []
  for (const condition of conditions) {
    const sql = compileCondition(scope, condition)
    if (sql === undefined) return undefined
    if (sql === NEVER) continue
    compiled.push(sql)
    // A condition that never holds may have added values, which move those of the others.
    keys.push(`${sql.key} to ${scope.values.values.length}`)
  }
  return {
    sql: target =>
      compiled.length === 0 ? 'false' : `(${compiled.map(({ sql }) => sql(target)).join(' or ')})`,
    columns: compiled.flatMap(condition => condition.columns),
    isExact: compiled.every(condition => condition.isExact),
    key: keys.join('|'),
  }
}
