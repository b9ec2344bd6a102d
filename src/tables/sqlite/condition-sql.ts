import type { Condition } from '../../store/contract.ts'
import type { SqliteValue } from '../../stores/sqlite/connection.ts'
import type { ListMapping, TableColumn, TableModel, TypeMapping } from '../model/table-model.ts'
import type { KeyText } from '../rows/key-texts.ts'
import { type FieldTest, type ResolvedCondition, resolveConditions } from '../rows/resolved-conditions.ts'
import type { RowKey } from '../rows/row-ids.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { allOf, columnSql, oneOfSql, tableSql } from '../sql/sql-text.ts'
import { aliasesOf, ENTRY_ALIASES, entriesOf } from './entries-sql.ts'
import { nodeSql, referenceEqualsSql, referencesOf } from './row-sql.ts'
import { parameter, toBinding } from './sql-template.ts'

/** The conditions of a range in SQL about the row of the alias `target`, and the values of their parameters. */
export type RangeCondition = {
  /** It needs no parentheses in a conjunction. */
  readonly sql: string
  /** Whether the SQL holds exactly if the condition holds. Otherwise, it may also hold for other rows. */
  readonly isExact: boolean
  readonly values: { readonly [name: string]: SqliteValue }
}

/** The key of a row at one end of an edge: expressions, and the columns whose values they are. */
type EdgeEnd = { readonly columns: readonly TableColumn[]; readonly values: readonly string[] }

/** The aliases of an edge that a condition looks for. */
const SOURCE = 'edge_source'
const EDGE_ALIASES = { entry: 'edge_entry', target: 'edge_target' }

/** Turns the conditions of one range into SQL, and collects the values of their parameters. */
class ConditionCompiler {
  readonly values: { [name: string]: SqliteValue } = {}
  #valueCount = 0
  readonly #sessionFilters: SessionFilters

  constructor(sessionFilters: SessionFilters) {
    this.#sessionFilters = sessionFilters
  }

  compile(condition: ResolvedCondition): string {
    switch (condition.kind) {
      case 'field':
        return this.#testSql(ENTRY_ALIASES.target, condition)
      case 'node': {
        const { subject, row } = condition
        return allOf(
          referenceEqualsSql(ENTRY_ALIASES.target, subject.columns, row.type.keys, this.#addRow(row)),
        )
      }
      case 'edge':
        return this.#edgeSql(condition)
    }
  }

  #add(column: TableColumn, text: KeyText): string {
    const name = `q${this.#valueCount++}`
    this.values[name] = toBinding(column, text)
    return parameter(name)
  }

  #addRow({ type, key }: RowKey): readonly string[] {
    return type.keys.map((column, index) => this.#add(column, key[index] ?? ''))
  }

  #testSql(alias: string, { field: { column }, texts }: FieldTest): string {
    return oneOfSql(
      columnSql(alias, column),
      texts.map(text => this.#add(column, text)),
    )
  }

  #edgeSql({
    list,
    subject,
    known,
    isFromKnown,
    data,
  }: Extract<ResolvedCondition, { kind: 'edge' }>): string {
    const { entry } = aliasesOf(list, EDGE_ALIASES)
    const tests = data.map(test => this.#testSql(entry, test))
    const { columns } = subject
    const knownEnd = { columns: known.type.keys, values: this.#addRow(known) }
    const subjectEnd = { columns, values: referencesOf(ENTRY_ALIASES.target, columns) }
    return isFromKnown
      ? this.#existsSql(list, knownEnd, subjectEnd, tests)
      : this.#existsSql(list, subjectEnd, knownEnd, tests)
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
 * Returns the conditions of a range in SQL: one that holds if any of them holds. Returns undefined if SQL cannot
 * evaluate one of them.
 */
export const compileConditions = (
  model: TableModel,
  sessionFilters: SessionFilters,
  target: TypeMapping,
  conditions: readonly Condition[],
): RangeCondition | undefined => {
  const resolved = conditions.some(hasSpecialText) ? undefined : resolveConditions(model, target, conditions)
  if (resolved === undefined) return undefined
  const compiler = new ConditionCompiler(sessionFilters)
  const texts = resolved.map(({ condition }) => `(${compiler.compile(condition)})`)
  return {
    sql: texts.length === 0 ? 'false' : `(${texts.join(' or ')})`,
    isExact: resolved.every(({ condition }) => condition.isExact),
    values: compiler.values,
  }
}
