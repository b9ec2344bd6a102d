import { isText } from '../../base/json.ts'
import type { Row } from '../../stores/postgres/database.ts'
import { quoteIdentifier } from '../../stores/quote-identifier.ts'
import type { ColumnDescription, IndexDescription } from '../description/database-description.ts'
import type { FoundForeignKey } from './assemble-description.ts'
import { toIndexDescription } from './index-columns.ts'

const TRUE = 't'

/** Whether a column of a row is true. */
export const isTrue = (value: string | null | undefined): boolean => value === TRUE

const parseList = (json: string | null | undefined): readonly unknown[] => {
  const list: unknown = JSON.parse(json ?? '[]')
  return Array.isArray(list) ? list : []
}

/** Returns the number of digits after the point, which bits of the modifier of a `numeric` contain. */
const scaleOf = (modifier: string | null | undefined): number | undefined => {
  const bits = Number(modifier ?? -1) - 4
  if (bits < 0) return undefined
  const scale = bits & 0x7ff
  // A negative scale rounds before the point.
  return scale < 0x400 ? scale : 0
}

const CATALOG = 'pg_catalog'

/** Returns a name with its schema, as a statement contains it. */
const qualify = (schema: string | null | undefined, name: string): string =>
  `${quoteIdentifier(schema ?? '')}.${quoteIdentifier(name)}`

/** Returns the collation of a column, unless it has none or that of the database. */
const collationOf = ([schema, name]: Row): string | undefined =>
  name == null || (schema === CATALOG && name === 'default') ? undefined : qualify(schema, name)

/** Describes a row of the statement `COLUMNS`. */
export const describeColumn = (row: Row): ColumnDescription => {
  const [, , notNull, hasDefault, isArray, schema, name, isEnum, labels, modifier, isInexact, ...collated] =
    row
  const type = name ?? ''
  const scale = scaleOf(modifier)
  const collation = collationOf(collated)
  return {
    type: isTrue(isEnum) ? 'enum' : type,
    ...(!isTrue(notNull) && { nullable: true }),
    ...(isTrue(hasDefault) && { default: true }),
    ...(isTrue(isArray) && { array: true }),
    ...(isTrue(isEnum) && { labels: parseList(labels).filter(isText) }),
    ...(schema !== CATALOG && { sqlType: qualify(schema, type) }),
    ...(scale !== undefined && { scale }),
    ...((isTrue(isInexact) || type === 'citext') && { inexact: true }),
    ...(collation !== undefined && { collation }),
  }
}

/** Describes a row of the statement `FOREIGN_KEYS`. */
export const describeForeignKey = ([, columns, target, references]: Row): FoundForeignKey => ({
  columns: parseList(columns).filter(isText),
  target: target ?? '',
  references: parseList(references).filter(isText),
})

/** The options of a column of an index. Other combinations place rows without a value where no list has them. */
const ASCENDING = 0
const DESCENDING_NULLS_FIRST = 3

/** A column of an index. `name` is undefined for an expression. */
type CatalogIndexColumn = {
  readonly name: string | undefined
  readonly isOrdered: boolean
  readonly isDescending: boolean
}

const parseIndexColumn = (column: unknown): CatalogIndexColumn => {
  const [name, options, isInOrder]: readonly unknown[] = Array.isArray(column) ? column : []
  return {
    name: isText(name) ? name : undefined,
    isOrdered: isInOrder === true && (options === ASCENDING || options === DESCENDING_NULLS_FIRST),
    isDescending: options === DESCENDING_NULLS_FIRST,
  }
}

/** An index as the catalog has it. */
export type FoundIndex = {
  readonly isPrimary: boolean
  /** The columns of the index, if its rows are unique in them. */
  readonly unique: readonly string[] | undefined
  /** The description of the index, if lists can be read with it. */
  readonly described: IndexDescription | undefined
}

/** Reads a row of the statement `INDEXES`. */
export const parseIndex = ([, isPrimary, isUnique, where, isBTree, json]: Row): FoundIndex => {
  const columns = parseList(json).map(parseIndexColumn)
  const names = columns.flatMap(({ name }) => name ?? [])
  const isWhole = isTrue(isUnique) && where === null && names.length === columns.length
  const end = columns.findIndex(({ name, isOrdered }) => name === undefined || !isOrdered)
  const ordered = isTrue(isBTree) ? columns.slice(0, end < 0 ? undefined : end) : []
  const indexColumns = ordered.flatMap(({ name, isDescending }) =>
    name === undefined ? [] : { name, isDescending },
  )
  return {
    isPrimary: isTrue(isPrimary),
    unique: isWhole ? names : undefined,
    described: toIndexDescription(indexColumns, where ?? undefined),
  }
}
