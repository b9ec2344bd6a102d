import { BoundedMap } from '../../base/bounded-map.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Row, Statement } from '../../stores/postgres/database.ts'
import { StatementCache } from '../../stores/postgres/statement-cache.ts'
import { bindValues, type PartValue, usesValues } from './part-values.ts'
import {
  REQUESTED,
  type RequestedColumns,
  type RequestedRow,
  requestedRowsSql,
  sizeClassOf,
} from './requested-rows.ts'

/** The query of a part: for each requested row, `result` is a JSON value. */
export type PartQuery = {
  readonly columns: RequestedColumns
  /** The expression of the result, or the text `null` if a row itself is the result. */
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

const partSql = ({ query, rows }: Part, index: number, parameter: number): string => {
  const { columns, result, from } = query()
  const requested = requestedRowsSql(columns, parameter, sizeClassOf(rows.length))
  return `select ${index}, ${REQUESTED}.ordinal::int, (${result})::text from ${requested} ${from}`
}

/** A statement, and for each part whether it has a parameter with values. */
type JoinedStatement = { readonly text: string; readonly haveValues: readonly boolean[] }

const joinParts = (parts: readonly Part[]): JoinedStatement => {
  let parameter = 1
  const haveValues: boolean[] = []
  const texts = parts.map((part, index) => {
    const sql = partSql(part, index, parameter)
    const hasValues = usesValues(sql)
    const bound = bindValues(sql, parameter + 1)
    parameter += hasValues ? 2 : 1
    haveValues.push(hasValues)
    return bound
  })
  return { text: texts.join('\nunion all\n'), haveValues }
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
  ): { readonly statement: Statement; readonly parameters: readonly string[] } {
    const key = parts.map(part => `${sizeClassOf(part.rows.length)} ${part.key}`).join('\n')
    let joined = this.#joined.get(key)
    if (joined === undefined) {
      joined = joinParts(parts)
      this.#joined.set(key, joined)
    }
    const { haveValues } = joined
    const parameters = parts.flatMap(({ rows, values }, index) => {
      const rowsText = JSON.stringify(rows)
      return haveValues[index] === true
        ? [rowsText, JSON.stringify([...sessionValues, ...values])]
        : [rowsText]
    })
    return { statement: this.#cache.use(joined.text), parameters }
  }
}

/** Gives the rows of a statement to their requests. */
export const acceptRows = (parts: readonly Part[], rows: readonly Row[]): void => {
  for (const [part, ordinal, result] of rows) {
    const accept = parts[Number(part)]?.accept[Number(ordinal) - 1]
    accept?.(result === null || result === undefined ? null : JSON.parse(result))
  }
}
