import type { AheadList, AheadRef, AheadStep, ReadAhead } from '../../store/contract.ts'
import type { IdColumn } from './id-column.ts'
import { encodeText } from './stored-text.ts'

/** The columns of the record below which is read: SQL expressions. */
export type RecordColumns = { readonly id: string; readonly type: string; readonly fields: string }

/** An SQL expression that reads ahead. Its values are the parameters of the statement, from the second one on. */
export type AheadExpression = { readonly sql: string; readonly values: readonly string[] }

const FIRST_PARAMETER = 2

const ID_DIGITS = 19
const MAX_ID = '9223372036854775807'

/**
 * Converts text to an id, or to null if it is no id of digits. `case` evaluates the cast only for an id. In the pattern,
 * a count of digits instead of `*` would double the time of the conversion.
 */
const toIdSql = (text: string, { kind }: IdColumn): string =>
  kind === 'named'
    ? text
    : `case
    when length(${text}) <= ${ID_DIGITS} and ${text} ~ '^[1-9][0-9]*$'
      and (length(${text}) < ${ID_DIGITS} or ${text} collate "C" <= '${MAX_ID}')
    then ${text}::bigint
  end`

/**
 * Builds the expression for one hint. Names, types and limits are values, so that hints of the same form share a
 * statement.
 */
class AheadSqlBuilder {
  readonly #schema: string
  readonly #ids: IdColumn
  readonly values: string[] = []
  #aliasCount = 0

  constructor(schema: string, ids: IdColumn) {
    this.#schema = schema
    this.#ids = ids
  }

  /**
   * Returns an array of the results of the steps for the type of a record, or null for another type. A list has two
   * elements of the array, because JSON in JSON takes time.
   */
  build(ahead: ReadAhead, record: RecordColumns): string {
    const cases = [...ahead].map(([type, steps]) => {
      const results = steps.map(step => this.#buildStep(step, record)).join(', ')
      return `when ${this.#add(encodeText(type), 'text')} then json_build_array(${results})`
    })
    return `case ${record.type} ${cases.join(' ')} end`
  }

  #buildStep(step: AheadStep, record: RecordColumns): string {
    return step.kind === 'list' ? this.#buildList(step, record) : this.#buildRef(step, record)
  }

  /**
   * An array of the entries, and the count. The row that shows whether the list has more needs no node, and becomes null.
   * The entries are sorted when they are decoded.
   */
  #buildList({ name, direction, limit, count, ahead }: AheadList, { id }: RecordColumns): string {
    const [edge, node] = [this.#createAlias('edge'), this.#createAlias('node')]
    const direction_ = direction === 'newest' ? 'desc' : 'asc'
    const order = `time ${direction_}, target ${direction_}`
    const maxRows = this.#add(limit + 1, 'bigint')
    const nameParameter = this.#add(encodeText(name), 'text')
    const entry = `${edge}.target::text, ${edge}.time, ${edge}.data, ${node}.type, ${node}.fields`
    const entryWithBelow = `json_build_array(${entry}, ${this.#buildBelow(ahead, node)})`
    return `(
      select coalesce(json_agg(case when ${node}.id is not null then ${entryWithBelow} end), '[]')
      from (
        select target, time, data, row_number() over (order by ${order}) as place from ${this.#schema}.edges
        where source = ${id} and name = ${nameParameter}
        order by ${order} limit ${maxRows}
      ) as ${edge}
      left join lateral (
        select id, type, fields from ${this.#schema}.nodes
        where id = ${edge}.target and ${edge}.place < ${maxRows} limit 1
      ) as ${node} on true
    ), ${count ? this.#buildCount(id, nameParameter) : 'null'}`
  }

  #buildCount(id: string, nameParameter: string): string {
    return `(select coalesce(sum(count), 0) from ${this.#schema}.edge_counts where source = ${id} and name = ${nameParameter})`
  }

  /**
   * An array of the id in the field, and the columns of its node. Postgres cannot read fields with escapes of
   * some characters, so the step is not executed for records that have escapes.
   */
  #buildRef({ field, ahead }: AheadRef, { fields }: RecordColumns): string {
    const [ref, node] = [this.#createAlias('ref'), this.#createAlias('node')]
    return `(
      select json_build_array(${ref}.id, ${node}.type, ${node}.fields, ${this.#buildBelow(ahead, node)})
      from (
        select case when strpos(${fields}::text, '\\u') = 0 then ${fields} ->> ${this.#add(field, 'text')} end as id
        offset 0
      ) as ${ref}
      left join ${this.#schema}.nodes as ${node} on ${node}.id = ${toIdSql(`${ref}.id`, this.#ids)}
    )`
  }

  #buildBelow(ahead: ReadAhead | undefined, node: string): string {
    if (ahead === undefined) return 'null::json'
    return this.build(ahead, { id: `${node}.id`, type: `${node}.type`, fields: `${node}.fields` })
  }

  #createAlias(name: string): string {
    this.#aliasCount++
    return `${name}${this.#aliasCount}`
  }

  /**
   * Adds a value, and returns its expression. The planner evaluates the subquery once for a statement, and does not know
   * the value. Otherwise, it would plan every execution again.
   */
  #add(value: string | number, type: 'text' | 'bigint'): string {
    this.values.push(`${value}`)
    return `(select $${FIRST_PARAMETER + this.values.length - 1}::${type})`
  }
}

/** Creates the expression that reads ahead below a record. */
export const createAheadExpression = (
  schema: string,
  ids: IdColumn,
  ahead: ReadAhead,
  record: RecordColumns,
): AheadExpression => {
  const builder = new AheadSqlBuilder(schema, ids)
  return { sql: builder.build(ahead, record), values: builder.values }
}
