import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Condition } from '../../store/contract.ts'
import type { SqliteValue } from '../../stores/sqlite/connection.ts'
import type { ListMapping, TableColumn, TableModel, TypeMapping } from '../model/table-model.ts'
import {
  type ComparableField,
  isExact,
  toComparableField,
  toComparableTexts,
} from '../rows/comparable-texts.ts'
import type { KeyText } from '../rows/key-texts.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { allOf, columnSql, tableSql } from '../sql/sql-text.ts'
import { aliasesOf, ENTRY_ALIASES, entriesOf } from './entries-sql.ts'
import { findRow } from './requested-rows.ts'
import { nodeSql, referenceEqualsSql, referencesOf } from './row-sql.ts'
import { parameter, toBinding } from './sql-template.ts'

/** A condition in SQL about the row of the alias `target`. It needs no parentheses in a conjunction. */
export type SqliteConditionSql = {
  readonly sql: string
  /** Whether the SQL holds exactly if the condition holds. Otherwise, it may also hold for other rows. */
  readonly isExact: boolean
}

/** The conditions of a range in SQL, and the values of their parameters. */
export type RangeCondition = SqliteConditionSql & {
  readonly values: { readonly [name: string]: SqliteValue }
}

const NEVER: SqliteConditionSql = { sql: 'false', isExact: true }

type Scalar = string | number | boolean

/** The row that a condition is about: the target, or the row that a ref of the target leads to. */
type Subject = { readonly type: TypeMapping; readonly columns: readonly TableColumn[] }

/** The key of a row at one end of an edge: expressions, and the columns whose values they are. */
type EdgeEnd = { readonly columns: readonly TableColumn[]; readonly values: readonly string[] }

const isScalar = (value: JsonValue): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Returns the scalars that a member of the data may be equal to. No data is equal to an object or an array. */
const scalarsOf = (expected: JsonValue): readonly Scalar[] =>
  (Array.isArray(expected) ? expected : [expected]).filter(isScalar)

/** The aliases of an edge that a condition looks for. */
const SOURCE = 'edge_source'
const EDGE_ALIASES = { entry: 'edge_entry', target: 'edge_target' }

/** Turns the conditions of one range into SQL. A condition that has no SQL is undefined. */
class ConditionCompiler {
  readonly values: { [name: string]: SqliteValue } = {}
  #valueCount = 0
  readonly #model: TableModel
  readonly #sessionFilters: SessionFilters
  readonly #target: TypeMapping

  constructor(model: TableModel, sessionFilters: SessionFilters, target: TypeMapping) {
    this.#model = model
    this.#sessionFilters = sessionFilters
    this.#target = target
  }

  compile(condition: Condition): SqliteConditionSql | undefined {
    switch (condition.kind) {
      case 'field':
        return this.#compileField(condition)
      case 'node':
        return this.#compileNode(condition)
      case 'edge':
        return this.#compileEdge(condition)
    }
  }

  #add(column: TableColumn, text: KeyText): string {
    const name = `q${this.#valueCount++}`
    this.values[name] = toBinding(column, text)
    return parameter(name)
  }

  #addKey(columns: readonly TableColumn[], key: readonly KeyText[]): readonly string[] {
    return columns.map((column, index) => this.#add(column, key[index] ?? ''))
  }

  /** Returns the condition that a field is one of some constants, or undefined if none of them is possible. */
  #fieldIn(alias: string, field: ComparableField, constants: readonly Scalar[]): string | undefined {
    const values = toComparableTexts(field, constants).map(text => this.#add(field.column, text))
    return values.length === 0 ? undefined : `${columnSql(alias, field.column)} in (${values.join(', ')})`
  }

  #compileField({
    field: name,
    anyOf,
  }: Extract<Condition, { kind: 'field' }>): SqliteConditionSql | undefined {
    const mapping = this.#target.fields.get(name)
    if (mapping === undefined) return NEVER
    const field = toComparableField(mapping)
    if (field === undefined) return undefined
    const sql = this.#fieldIn(ENTRY_ALIASES.target, field, anyOf)
    return sql === undefined ? NEVER : { sql, isExact: isExact(field.column) }
  }

  /** Returns `unknown` for a field that is no ref, whose values may be ids all the same. */
  #findSubject(of: string | undefined): Subject | 'unknown' | undefined {
    if (of === undefined) return { type: this.#target, columns: this.#target.keys }
    const field = this.#target.fields.get(of)
    if (field === undefined) return undefined
    return field.kind === 'ref' ? { type: field.target, columns: field.columns } : 'unknown'
  }

  #compileNode({ of, id }: Extract<Condition, { kind: 'node' }>): SqliteConditionSql | undefined {
    const subject = this.#findSubject(of)
    if (subject === 'unknown') return undefined
    const row = findRow(this.#model, id)
    if (subject === undefined || row?.type !== subject.type) return NEVER
    const { keys } = row.type
    const values = this.#addKey(keys, row.key)
    return {
      sql: allOf(referenceEqualsSql(ENTRY_ALIASES.target, subject.columns, keys, values)),
      isExact: [...subject.columns, ...keys].every(isExact),
    }
  }

  /** Returns the conditions about the data of an edge; `never` if no edge has it. */
  #compileWhere(list: ListMapping, where: JsonObject) {
    const conditions: string[] = []
    const fields: ComparableField[] = []
    const { entry } = aliasesOf(list, EDGE_ALIASES)
    for (const [name, expected] of Object.entries(where)) {
      const mapping = list.data.find(field => field.name === name)
      const field = toComparableField(mapping)
      if (mapping !== undefined && field === undefined) return undefined
      const sql = field && this.#fieldIn(entry, field, scalarsOf(expected))
      if (field === undefined || sql === undefined) return 'never'
      conditions.push(sql)
      fields.push(field)
    }
    return { conditions, isExact: fields.every(({ column }) => isExact(column)) }
  }

  #compileEdge(condition: Extract<Condition, { kind: 'edge' }>): SqliteConditionSql | undefined {
    const { name, of, from, to, where = {} } = condition
    const subject = this.#findSubject(of)
    if (subject === 'unknown') return undefined
    const known = findRow(this.#model, from ?? to ?? '')
    if (subject === undefined || known === undefined) return NEVER
    const list = (from === undefined ? subject.type : known.type).lists.get(name)
    const target = from === undefined ? known.type : subject.type
    if (list === undefined || list.target !== target) return NEVER
    const data = this.#compileWhere(list, where)
    if (data === undefined || data === 'never') return data && NEVER
    const { keys } = known.type
    const knownEnd = { columns: keys, values: this.#addKey(keys, known.key) }
    const subjectEnd = { ...subject, values: referencesOf(ENTRY_ALIASES.target, subject.columns) }
    const [sourceEnd, targetEnd] = from === undefined ? [subjectEnd, knownEnd] : [knownEnd, subjectEnd]
    const columns = [...subject.columns, ...keys, ...list.sourceColumns, ...list.targetColumns]
    return {
      sql: this.#existsSql(list, sourceEnd, targetEnd, data.conditions),
      isExact: data.isExact && columns.every(isExact),
    }
  }

  /** Returns the query that finds an edge between two rows that are nodes. */
  #existsSql(list: ListMapping, sourceEnd: EdgeEnd, targetEnd: EdgeEnd, where: readonly string[]): string {
    const source = list.source ?? list.target
    const aliases = aliasesOf(list, EDGE_ALIASES)
    const rows = entriesOf(list, aliases, referencesOf(SOURCE, source.keys), this.#sessionFilters)
    const conditions = [
      ...referenceEqualsSql(SOURCE, source.keys, sourceEnd.columns, sourceEnd.values),
      ...nodeSql(source, SOURCE, this.#sessionFilters),
      ...referenceEqualsSql(aliases.entry, list.targetColumns, targetEnd.columns, targetEnd.values),
      ...rows.conditions,
      ...where,
    ]
    return `exists (select 1 from ${tableSql(source.table)} as ${SOURCE} cross join ${rows.from} where ${allOf(conditions)})`
  }
}

/**
 * Whether a text of a condition can be equal to a text that no parameter contains: SQLite stores U+0000, and bytes
 * that JavaScript reads as U+FFFD.
 */
const hasSpecialText = (condition: Condition): boolean => /\\u0000|\ufffd/.test(JSON.stringify(condition))

/**
 * Returns the conditions of a range in SQL: one that holds if any of them holds. Returns undefined if one of them
 * has no SQL.
 */
export const compileConditions = (
  model: TableModel,
  sessionFilters: SessionFilters,
  target: TypeMapping,
  conditions: readonly Condition[],
): RangeCondition | undefined => {
  const compiler = new ConditionCompiler(model, sessionFilters, target)
  const compiled: SqliteConditionSql[] = []
  for (const condition of conditions) {
    const sql = hasSpecialText(condition) ? undefined : compiler.compile(condition)
    if (sql === undefined) return undefined
    if (sql !== NEVER) compiled.push(sql)
  }
  return {
    sql: compiled.length === 0 ? 'false' : `(${compiled.map(({ sql }) => `(${sql})`).join(' or ')})`,
    isExact: compiled.every(condition => condition.isExact),
    values: compiler.values,
  }
}
