import { findColumnType, isColumnType } from '../compile/column-types.ts'
import type { ColumnForm } from '../declare/fields.ts'
import { isSameSet } from '../description/column-sets.ts'
import type { ColumnDescription, Dialect, TableDescription } from '../description/database-description.ts'
import { isForeign, type NodeTable } from './classify-tables.ts'
import type { DerivedColumnField, DerivedRef, LeftOut } from './derived-graph.ts'
import { splitWords, toGraphName, type UniqueNames } from './graph-names.ts'
import { isSecretName } from './secret-names.ts'

/** Returns how the times of a column are stored in SQLite, where only the rows show it. */
export type FindTimeForm = (table: string, column: string) => Exclude<ColumnForm, 'text'>

/** A table with what is necessary to derive its fields. */
export type FieldSource = {
  readonly dialect: Dialect
  readonly table: string
  readonly description: TableDescription
  readonly key: readonly string[]
  readonly findTimeForm: FindTimeForm
}

const BINARY_TYPES: readonly string[] = ['bytea', 'blob']
const SQLITE_TIME_TYPES: readonly string[] = ['date', 'datetime']

/** Returns the option `as` of a column; undefined if it needs none. */
export const findForm = (
  { dialect, table, findTimeForm }: Pick<FieldSource, 'dialect' | 'table' | 'findTimeForm'>,
  column: string,
  description: ColumnDescription,
): ColumnForm | undefined => {
  if (isColumnType(findColumnType(dialect, description, undefined))) return undefined
  return dialect === 'sqlite' && SQLITE_TIME_TYPES.includes(description.type)
    ? findTimeForm(table, column)
    : 'text'
}

/** Returns why a graph does not contain a column; undefined if it does. */
const findReason = (
  { description, key }: FieldSource,
  name: string,
  { type }: ColumnDescription,
): 'secret' | 'binary' | undefined => {
  if (key.includes(name) || isForeign(description, name)) return undefined
  if (isSecretName(name)) return 'secret'
  return BINARY_TYPES.includes(type) ? 'binary' : undefined
}

/** The columns that the graph does not contain. */
export const findLeftOut = (source: FieldSource): readonly LeftOut[] =>
  Object.entries(source.description.columns).flatMap(([column, description]) => {
    const reason = findReason(source, column, description)
    return reason === undefined ? [] : [{ table: source.table, column, reason }]
  })

/** The names of columns that identify a row for people, the best first. */
const TITLE_NAMES = [
  'name',
  'display_name',
  'full_name',
  'last_name',
  'title',
  'label',
  'username',
  'handle',
  'slug',
  'subject',
]

/** Returns the column that is shown by default: the first text that names the row. */
const findTitle = (columns: readonly (readonly [string, ColumnDescription])[]): string | undefined => {
  const texts = columns.filter(([, { type }]) => /text|char/.test(type)).map(([name]) => name)
  const titles = TITLE_NAMES.flatMap(title => texts.find(name => toGraphName(name, '') === title) ?? [])
  return titles[0] ?? texts.find(name => /(?:^|_)(?:name|title)$/.test(toGraphName(name, ''))) ?? texts[0]
}

/**
 * Derives the fields over columns. `excluded` are columns that other members show. A field whose name is taken has the
 * prefix before it.
 */
export const deriveColumnFields = (
  source: FieldSource,
  excluded: readonly string[],
  names: UniqueNames,
  prefix?: string,
): readonly DerivedColumnField[] => {
  const shown = Object.entries(source.description.columns).filter(
    ([name, description]) => !excluded.includes(name) && findReason(source, name, description) === undefined,
  )
  const title = findTitle(shown)
  return shown.map(([column, description]) => {
    const name = toGraphName(column, 'column')
    return {
      name: names.take(name, prefix === undefined ? `${name}_column` : `${prefix}_${name}`),
      column,
      as: findForm(source, column, description),
      isDefault: column === title,
    }
  })
}

/** The last words of a column that contains the key of another row. */
const KEY_WORD = /^(?:id|uuid|key|code|slug|no)$/

/** Returns the name of a ref: `owner` for the column `owner_id`. */
const toRefName = (columns: readonly string[], target: string): string => {
  const [column, second] = columns
  if (column === undefined || second !== undefined) return target
  const words = splitWords(column)
  const hasKeyWord = words.length > 1 && KEY_WORD.test(words.at(-1) ?? '')
  return toGraphName((hasKeyWord ? words.slice(0, -1) : words).join('_'), target)
}

/** A foreign key that leads to the key of a type: its columns are in the order of the key. */
export type FoundRef = Omit<DerivedRef, 'name'>

/** Returns the foreign keys of a table that lead to the keys of types. */
export const findRefs = (
  { foreignKeys }: TableDescription,
  nodes: readonly NodeTable[],
): readonly FoundRef[] =>
  foreignKeys.flatMap(({ columns, table, references }) => {
    const target = nodes.find(node => node.table === table)
    if (target === undefined || !isSameSet(target.key, references)) return []
    return [
      { target: target.type, columns: target.key.flatMap(key => columns[references.indexOf(key)] ?? []) },
    ]
  })

/** Names the refs of a type. */
export const nameRefs = (found: readonly FoundRef[], names: UniqueNames): readonly DerivedRef[] =>
  found.map(ref => {
    const name = toRefName(ref.columns, ref.target)
    return { name: names.take(name, `${name}_ref`), ...ref }
  })
