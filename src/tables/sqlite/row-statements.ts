import { BoundedMap } from '../../base/bounded-map.ts'
import { isObject } from '../../base/json.ts'
import type { SqliteDatabase, SqliteStatement, SqliteValue } from '../../stores/sqlite/connection.ts'
import type { SqliteCell } from './cells.ts'
import { NULL_VALUE, type SqlTemplate, type StatementValues } from './sql-template.ts'

/** A selected row: its cells in the order of the columns. */
export type CellRow = readonly SqliteCell[]

/** The statements that a connection keeps. Each has the memory of its text and its program: some kilobytes. */
const MAX_STATEMENTS = 300

/** `node:sqlite` returns objects, whose members have the order of the columns. */
const toCells = (row: unknown): CellRow =>
  Array.isArray(row) ? row : isObject(row) ? Object.values(row) : []

const valuesOf = ({ names }: SqlTemplate, values: StatementValues): SqliteValue[] =>
  names.map(name => values[name] ?? NULL_VALUE)

const isIterable = (value: unknown): value is Iterable<unknown> => isObject(value) && Symbol.iterator in value

/** Runs statements on one connection. It prepares each text once, as long as the text is used. */
export class RowStatements {
  readonly #database: SqliteDatabase
  readonly #statements = new BoundedMap<SqliteStatement>(MAX_STATEMENTS)

  constructor(database: SqliteDatabase) {
    this.#database = database
  }

  /** Returns all rows. */
  all(template: SqlTemplate, values: StatementValues): readonly CellRow[] {
    const rows = this.#prepare(template.sql).all?.(...valuesOf(template, values))
    return Array.isArray(rows) ? rows.map(toCells) : []
  }

  /** Returns the rows while they are read. The connection runs no other statement until the last one is read. */
  *iterate(template: SqlTemplate, values: StatementValues): Generator<CellRow> {
    const rows = this.#prepare(template.sql).iterate?.(...valuesOf(template, values))
    if (!isIterable(rows)) return
    for (const row of rows) yield toCells(row)
  }

  #prepare(sql: string): SqliteStatement {
    const existing = this.#statements.get(sql)
    if (existing !== undefined) return existing
    const statement = this.#database.prepare(sql)
    // A number would round an integer, and an object has the names of the columns.
    statement.safeIntegers?.(true)
    statement.setReadBigInts?.(true)
    statement.raw?.(true)
    this.#statements.set(sql, statement)
    return statement
  }
}
