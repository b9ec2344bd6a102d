import type { Session } from '../../base/session.ts'
import type { Dialect, TableDescription } from '../description/database-description.ts'

/**
 * How the values of a column are bound, compared and read. `unixMs`, `unixSeconds` and `iso` are times in SQLite.
 * Values of `other` are read as text, and never compared.
 */
export type ColumnKind =
  | 'bool'
  | 'int2'
  | 'int4'
  | 'int8'
  | 'float'
  | 'numeric'
  | 'text'
  | 'char'
  | 'citext'
  | 'enum'
  | 'uuid'
  | 'date'
  | 'timestamptz'
  | 'timestamp'
  | 'json'
  | 'unixMs'
  | 'unixSeconds'
  | 'iso'
  | 'other'

/** A column that the graph uses. */
export type TableColumn = {
  readonly name: string
  readonly kind: ColumnKind
  /** The type as a statement names it, such as `int8`, `varchar` or `"public"."mood"`. */
  readonly sqlType: string
  readonly isNullable: boolean
  readonly isArray: boolean
  /** The labels of an enum. */
  readonly labels: readonly string[] | undefined
  /** The number of digits after the point of a `numeric`. */
  readonly scale: number | undefined
  /** The time zone of a `timestamp`; `UTC` unless the table names another one. */
  readonly timeZone: string | undefined
  /** Whether texts may be equal that have different bytes. */
  readonly isInexact: boolean
  /** The collation as a statement names it, unless it is that of the database. */
  readonly collation: string | undefined
}

/** A table as a statement names it. */
export type TableName = { readonly schema: string | undefined; readonly name: string }

/** A condition that a row must meet to be in the graph, or in a list. */
export type RowFilter = { readonly column: TableColumn } & (
  | { readonly kind: 'null' | 'notNull' }
  /** One of the values, which a statement contains as constants, so that partial indexes match. */
  | { readonly kind: 'constants'; readonly values: readonly (string | number | boolean)[] }
  /** The value for the session of the read. No row matches `undefined`, `null` or a value of another type. */
  | { readonly kind: 'session'; readonly valueOf: (session: Session) => unknown }
)

/** The form in which a value is stored in a record: that of the field's type. */
export type ValueForm = 'string' | 'numericString' | 'int' | 'float' | 'bool' | 'datetime' | 'date' | 'json'

/** A field of a record, or of an entry. */
export type FieldMapping = { readonly name: string } & (
  | { readonly kind: 'value'; readonly column: TableColumn; readonly form: ValueForm }
  /** The columns are equal to the key of the target, in its order. */
  | { readonly kind: 'ref'; readonly columns: readonly TableColumn[]; readonly target: TypeMapping }
)

/**
 * The order of a list: by a column, then by the key of the targets. Without a column, by that key alone. Each
 * position has a `key`.
 */
export type OrderMapping = {
  readonly column: TableColumn | undefined
  /** Whether the values are times, so that `since` and `until` limit the list. */
  readonly isTime: boolean
  /**
   * Rows without a value: `none` exist, `skip` leaves them out of the list, and `end` puts them after all others, the
   * newest first.
   */
  readonly nulls: 'none' | 'skip' | 'end'
}

/** How a list is counted. */
export type CountMapping =
  /** Up to a number of rows. A longer list has no count. */
  | { readonly kind: 'capped'; readonly max: number }
  | { readonly kind: 'exact' }
  /** A number in the row of the source, which the team's own programs keep. */
  | { readonly kind: 'column'; readonly column: TableColumn }

/** One stored list of each node of a type, or of the root. */
export type ListMapping = {
  /** The name of the list in ranges and checks. */
  readonly name: string
  /** The edge or collection in messages, such as `account.photos`. */
  readonly path: string
  /** The type of the sources. Absent for a collection, which is all rows of its table. */
  readonly source: TypeMapping | undefined
  readonly target: TypeMapping
  /** The table whose rows are the entries: that of the target, or a join table. */
  readonly table: TableName
  readonly isJoin: boolean
  /** The columns of the table that are equal to the key of the source, in its order. */
  readonly sourceColumns: readonly TableColumn[]
  /** The columns of the table that are equal to the key of the target, in its order. */
  readonly targetColumns: readonly TableColumn[]
  readonly order: OrderMapping
  /** The filters of the list itself, about its table. The filters of the target's type apply too. */
  readonly filters: readonly RowFilter[]
  readonly count: CountMapping
  /** The fields of the entries. */
  readonly data: readonly FieldMapping[]
}

/** A type of nodes: the rows of one table that its filters let through. */
export type TypeMapping = {
  readonly name: string
  /** The prefix of the ids. */
  readonly prefix: string
  readonly table: TableName
  /** The columns of the key, at least one. */
  readonly keys: readonly TableColumn[]
  readonly filters: readonly RowFilter[]
  readonly fields: ReadonlyMap<string, FieldMapping>
  /** The lists of each node, by their names: one for each order and each combination of parameters of an edge. */
  readonly lists: ReadonlyMap<string, ListMapping>
}

/** A table that the graph reads: that of a type, or a join table. */
export type UsedTable = {
  /** Its name in the description. */
  readonly key: string
  readonly name: TableName
  readonly description: TableDescription
  /** The types, edges and collections that read it, such as `photo` or `account.following`. */
  readonly usedBy: readonly string[]
}

/** How the types of a schema are stored in tables: everything that a store needs. */
export type TableModel = {
  readonly dialect: Dialect
  /** All tables that reads, checks and counts may touch, in the order of the declaration. */
  readonly tables: readonly UsedTable[]
  readonly types: ReadonlyMap<string, TypeMapping>
  readonly typesByPrefix: ReadonlyMap<string, TypeMapping>
  /** The collections, by their names. */
  readonly collections: ReadonlyMap<string, ListMapping>
}
