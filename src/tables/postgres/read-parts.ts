import { BoundedMap } from '../../base/bounded-map.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Row, Statement, StatementParameter } from '../../stores/postgres/database.ts'
import { StatementCache } from '../../stores/postgres/statement-cache.ts'
import { type BoundSql, bindValues, type PartValue } from './part-values.ts'
import {
  REQUESTED,
  type RequestedColumns,
  type RequestedRow,
  requestedRowsSql,
  rowParameterCount,
  sizeClassOf,
  toRowParameters,
} from './requested-rows.ts'

/** The query of a part: for each requested row, `result` is a JSON value. */
export type PartQuery = {
  readonly columns: RequestedColumns
  /** The expression of the result. */
  readonly result: string
  /** The clauses after the requested rows. */
  readonly from: string
}

/** The requests of one kind of a read, which one part of its statement executes. */
export type Part = {
  /** Equal for parts with the same query. */
  readonly key: string
  readonly query: () => PartQuery
  readonly values: readonly PartValue[]
  readonly rows: RequestedRow[]
  /** Receive the results of the rows. A row without a result is not called. */
  readonly accept: ((result: JsonValue) => void)[]
}

/** The parts of a read, by their keys. */
export class ReadParts {
  readonly #parts = new Map<string, Part>()

  get isEmpty(): boolean {
    return this.#parts.size === 0
  }

  get parts(): readonly Part[] {
    return [...this.#parts.values()]
  }

  /** Adds a row to the part with a key and values. */
  add(
    { key, query, values }: Pick<Part, 'key' | 'query' | 'values'>,
    row: RequestedRow,
    accept: (result: JsonValue) => void,
  ): void {
    const groupKey = values.length === 0 ? key : `${key} ${JSON.stringify(values)}`
    let part = this.#parts.get(groupKey)
    if (part === undefined) {
      part = { key, query, values, rows: [], accept: [] }
      this.#parts.set(groupKey, part)
    }
    part.rows.push(row)
    part.accept.push(accept)
  }
}

/** The SQL of a part in a statement, and how its rows and values become parameters of the statement. */
type BoundPart = { readonly columns: RequestedColumns; readonly bound: BoundSql }

const bindPart = ({ query, rows }: Part, index: number, parameter: number): BoundPart => {
  const { columns, result, from } = query()
  const size = sizeClassOf(rows.length)
  const requested = requestedRowsSql(columns, parameter, size)
  const sql = `select ${index}, ${REQUESTED}.ordinal::int, (${result})::text from ${requested} ${from}`
  return { columns, bound: bindValues(sql, parameter + rowParameterCount(columns, size)) }
}

/** A statement and its parts. */
type JoinedStatement = { readonly text: string; readonly boundParts: readonly BoundPart[] }

const joinParts = (parts: readonly Part[]): JoinedStatement => {
  let parameter = 1
  const boundParts = parts.map((part, index) => {
    const boundPart = bindPart(part, index, parameter)
    parameter = boundPart.bound.nextParameter
    return boundPart
  })
  return { text: boundParts.map(({ bound }) => bound.sql).join('\nunion all\n'), boundParts }
}

const MAX_TEXTS = 200

/** The statements of reads. Reads with the same parts share a statement. */
export class PartStatements {
  readonly #cache = new StatementCache('tables')
  readonly #joined = new BoundedMap<JoinedStatement>(MAX_TEXTS)

  /** Returns the statement of some parts, and its parameters. */
  get(
    parts: readonly Part[],
    sessionValues: readonly PartValue[],
  ): { readonly statement: Statement; readonly parameters: readonly StatementParameter[] } {
    const key = parts.map(part => `${sizeClassOf(part.rows.length)} ${part.key}`).join('\n')
    let joined = this.#joined.get(key)
    if (joined === undefined) {
      joined = joinParts(parts)
      this.#joined.set(key, joined)
    }
    const { text, boundParts } = joined
    const parameters = boundParts.flatMap(({ columns, bound }, index) => {
      const { rows = [], values = [] } = parts[index] ?? {}
      return [...toRowParameters(columns, rows), ...bound.toParameters([...sessionValues, ...values])]
    })
    return { statement: this.#cache.use(text), parameters }
  }
}

/** Gives the rows of a statement to their requests. */
export const acceptRows = (parts: readonly Part[], rows: readonly Row[]): void => {
  for (const [part, ordinal, result] of rows) {
    const accept = parts[Number(part)]?.accept[Number(ordinal) - 1]
    accept?.(result === null || result === undefined ? null : JSON.parse(result))
  }
}
