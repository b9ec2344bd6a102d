import { getOwn } from '../../schema/node.ts'
import type {
  ColumnDescription,
  DatabaseDescription,
  IndexDescription,
  TableDescription,
} from '../description/database-description.ts'
import { compareTexts } from './sort-texts.ts'

/** The kind of the part that differs. */
type Subject = 'table' | 'row-level security' | 'key' | 'column' | 'foreign key' | 'unique' | 'index'

/** A difference between an earlier description and a later one. */
export type DescriptionDifference = {
  readonly kind: 'new' | 'removed' | 'changed'
  readonly subject: Subject
  /** The table, or a part of it, in words. */
  readonly part: string
  /** The properties of the part, in words. Absent if it has none. */
  readonly before?: string | undefined
  readonly after?: string | undefined
}

const quote = (name: string): string => JSON.stringify(name)

const quoteAll = (names: readonly string[]): string => `(${names.map(quote).join(', ')})`

const describeColumn = (column: ColumnDescription): string => {
  const { type, array, scale, labels, sqlType, nullable, default: hasDefault, inexact, collation } = column
  const words = [
    `${sqlType ?? type}${array ? '[]' : ''}${scale === undefined ? '' : ` with scale ${scale}`}`,
    labels && `labels ${quoteAll(labels)}`,
    nullable && 'nullable',
    hasDefault && 'default',
    inexact && 'inexact',
    collation && `collation ${collation}`,
  ]
  return words.filter(Boolean).join(', ')
}

const describeIndex = ({ columns, descending = [], partial }: IndexDescription): string => {
  const words = columns.map(name => `${quote(name)}${descending.includes(name) ? ' desc' : ''}`)
  return `(${words.join(', ')})${partial ? ' of some rows' : ''}`
}

/** A part of a table. Its name distinguishes it from the other parts of its subject. */
type Part = { readonly subject: Subject; readonly name: string; readonly properties: string }

const listParts = (table: TableDescription): readonly Part[] => {
  const names = [table.schema, table.name].flatMap(name => (name === undefined ? [] : [quote(name)]))
  return [
    { subject: 'table', name: '', properties: `${table.view ? 'view ' : ''}${names.join('.')}` },
    { subject: 'row-level security', name: '', properties: table.rowSecurity ? 'on' : 'off' },
    { subject: 'key', name: '', properties: quoteAll(table.key) },
    ...Object.entries(table.columns).map(
      ([name, column]): Part => ({
        subject: 'column',
        name: quote(name),
        properties: describeColumn(column),
      }),
    ),
    ...table.foreignKeys.map(({ columns, table, references }): Part => {
      const name = `${quoteAll(columns)} to ${quote(table)} ${quoteAll(references)}`
      return { subject: 'foreign key', name, properties: '' }
    }),
    ...table.uniques.map((columns): Part => ({ subject: 'unique', name: quoteAll(columns), properties: '' })),
    ...table.indexes.map((index): Part => ({ subject: 'index', name: describeIndex(index), properties: '' })),
  ]
}

const partsByTitle = (table: TableDescription): ReadonlyMap<string, Part> =>
  new Map(listParts(table).map(part => [[part.subject, part.name].filter(Boolean).join(' '), part]))

/** Returns the differences between two descriptions of one table. */
export const findTableDifferences = (
  name: string,
  before: TableDescription,
  after: TableDescription,
): readonly DescriptionDifference[] => {
  const [earlier, later] = [partsByTitle(before), partsByTitle(after)]
  return [...new Map([...earlier, ...later])].flatMap(
    ([title, { subject }]): readonly DescriptionDifference[] => {
      const [was, is] = [earlier.get(title)?.properties, later.get(title)?.properties]
      if (was === is) return []
      const kind = was === undefined ? 'new' : is === undefined ? 'removed' : 'changed'
      return [
        { kind, subject, part: `${quote(name)} ${title}`, before: was || undefined, after: is || undefined },
      ]
    },
  )
}

/** Returns the differences between an earlier description of a database and a later one, sorted by table. */
export const findDifferences = (
  before: DatabaseDescription,
  after: DatabaseDescription,
): readonly DescriptionDifference[] => {
  const names = [...new Set([...Object.keys(before.tables), ...Object.keys(after.tables)])].sort(compareTexts)
  return names.flatMap((name): readonly DescriptionDifference[] => {
    const was = getOwn(before.tables, name)
    const is = getOwn(after.tables, name)
    if (was !== undefined && is !== undefined) return findTableDifferences(name, was, is)
    return [{ kind: was === undefined ? 'new' : 'removed', subject: 'table', part: `table ${quote(name)}` }]
  })
}
