import type { ColumnKind, FieldMapping, ListMapping, OrderMapping } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import type { EntryAliases } from '../sql/entry-rows.ts'
import { allOf, columnSql } from '../sql/sql-text.ts'
import { type RangeBounds, type Stretch, stretchesOf } from '../sql/stretches.ts'
import { aliasesOf, listRowsSql } from './entries-sql.ts'
import { referencesOf, refSql } from './row-sql.ts'
import { keyParameters, parameter } from './sql-template.ts'
import { type TimeWindow, windowSql } from './time-window.ts'

/** The form of a range. Ranges of the same form have the same statements. */
export type RangeForm = {
  readonly isNewest: boolean
  readonly start: RangeBounds['start']
  readonly window: TimeWindow | undefined
}

/** The references of the columns of some fields. */
export const fieldReferences = (alias: string, fields: readonly FieldMapping[]): readonly string[] =>
  fields.flatMap(field => (field.kind === 'ref' ? refSql(alias, field) : [columnSql(alias, field.column)]))

/** The columns of an entry, in the order of its layout: its order, its data, and the record of its target. */
export const entryReferences = (
  list: ListMapping,
  { entry, target }: EntryAliases,
  fields: readonly FieldMapping[],
): readonly string[] => {
  const { column } = list.order
  return [
    column === undefined ? 'null' : columnSql(entry, column),
    ...fieldReferences(entry, list.data),
    ...referencesOf(target, list.target.keys),
    ...fieldReferences(target, fields),
  ]
}

/** Returns the columns of a statement with names of their own. */
export const selectSql = (references: readonly string[]): string =>
  references.map((reference, index) => `${reference} as c${index}`).join(', ')

/** The kinds whose values are numbers, which SQLite sorts after NULL and before all texts. */
const NUMBER_KINDS: readonly ColumnKind[] = ['bool', 'int8', 'float', 'numeric', 'unixMs', 'unixSeconds']

/** Returns a value before all others of a column that may have none. Numbers begin with negative infinity. */
const smallestOf = ({ column }: OrderMapping): string | undefined =>
  column?.isNullable ? (NUMBER_KINDS.includes(column.kind) ? '-9e999' : `''`) : undefined

const boundsOf = ({ target, order }: ListMapping, { isNewest, start, window }: RangeForm): RangeBounds => ({
  isNewest,
  start,
  startValue: parameter('o'),
  startKey: keyParameters('f', target.keys),
  minTime: window?.minTime === undefined ? undefined : parameter('lo'),
  maxTime: window?.endTime === undefined ? undefined : parameter('hi'),
  smallest: smallestOf(order),
})

/** A plain parameter would make SQLite plan the statement again for each limit. */
const LIMIT = `cast(${parameter('n')} as integer)`

/** A range of a list with some fields of its targets. */
export type ListQuery = {
  readonly list: ListMapping
  readonly fields: readonly FieldMapping[]
  readonly form: RangeForm
  readonly sessionFilters: SessionFilters
}

const stretchSql = (
  { list, form, sessionFilters }: ListQuery,
  columns: string,
  { conditions, order }: Stretch,
): string => {
  const rows = listRowsSql(list, sessionFilters)
  const window = windowSql(list.order, aliasesOf(list).entry, form.window)
  const all = allOf([...conditions, ...rows.conditions, ...window])
  return `select ${columns} from ${rows.from} where ${all} order by ${order} limit ${LIMIT}`
}

/** Returns the statements that read a range, one after the other, until its limit is reached. */
export const rangeSql = (query: ListQuery): readonly string[] => {
  const { list, fields, form } = query
  const aliases = aliasesOf(list)
  const columns = selectSql(entryReferences(list, aliases, fields))
  return stretchesOf(list, boundsOf(list, form), aliases.entry).map(stretch =>
    stretchSql(query, columns, stretch),
  )
}

/**
 * Returns the statements that examine a range under a condition. A row that does not pass has no values except its
 * position. The outer condition keeps SQLite from evaluating the inner one for each column.
 */
export const examinedSql = (query: ListQuery, condition: string): readonly string[] => {
  const { list, fields, form } = query
  const aliases = aliasesOf(list)
  const columns = entryReferences(list, aliases, fields)
  const keys = referencesOf(aliases.target, list.target.keys)
  const inner = [
    `(${condition} is true) as passes`,
    ...keys.map((key, index) => `${key} as k${index}`),
    selectSql(columns),
  ]
  const outer = [
    'passes',
    'c0',
    ...keys.map((_, index) => `k${index}`),
    ...columns.map((_, index) => `case when passes then c${index} end as e${index}`),
  ]
  return stretchesOf(list, boundsOf(list, form), aliases.entry).map(
    stretch =>
      `select ${outer.join(', ')} from (${stretchSql(query, inner.join(', '), stretch)}) where passes >= 0`,
  )
}
