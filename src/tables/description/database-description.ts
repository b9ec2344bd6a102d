/** The databases whose tables a graph can have. */
export type Dialect = 'postgres' | 'sqlite'

/** One column of a table. */
export type ColumnDescription = {
  /**
   * The name of its type. In Postgres: that of the base type, such as `int8`, `timestamptz` or `varchar`; `enum` for
   * every enum. In SQLite: `integer`, `real`, `numeric`, `text`, `boolean`, `date`, `datetime`, `json`, `blob`, or
   * `any` for a column without a type, by the declared type.
   */
  readonly type: string
  /** Whether a row may have no value. */
  readonly nullable?: true | undefined
  /** Whether the database gives a value to a new row that has none: a default, an identity, or a generated column. */
  readonly default?: true | undefined
  /** Whether the values are arrays of the type. */
  readonly array?: true | undefined
  /** The labels of an enum, in its order. */
  readonly labels?: readonly string[] | undefined
  /** The quoted name in SQL of a type that is not built in, such as that of an enum: `"public"."mood"`. */
  readonly sqlType?: string | undefined
  /** The number of digits after the point of a `numeric`. */
  readonly scale?: number | undefined
  /**
   * Whether texts may be equal that have different bytes: a nondeterministic collation, `citext`, or in SQLite
   * NOCASE, and types such as `string`, in which texts of digits are stored as numbers.
   */
  readonly inexact?: true | undefined
  /** The quoted name in SQL of a collation of Postgres other than that of the database: `"pg_catalog"."C"`. */
  readonly collation?: string | undefined
}

/** A foreign key: `columns` of this table are equal to `references` of a row of `table`. */
export type ForeignKeyDescription = {
  readonly columns: readonly string[]
  /** The name of the other table in the description. */
  readonly table: string
  readonly references: readonly string[]
}

/** An index that can be read in the order of its columns. */
export type IndexDescription = {
  /**
   * The names of the columns that the index begins with, up to the first expression, and up to the first column
   * in another order than that of its values.
   */
  readonly columns: readonly string[]
  /**
   * The columns that are in descending order. The rows of equal first columns can be read in the order of the
   * others only if these have one direction.
   */
  readonly descending?: readonly string[] | undefined
  /** Whether the index covers only some rows. */
  readonly partial?: true | undefined
  /** The condition of these rows as SQL. Files do not have it, since it may contain values. */
  readonly where?: string | undefined
}

/** One table, or one view. */
export type TableDescription = {
  /** Its name in the database. */
  readonly name: string
  /** Its schema in the database. Absent in SQLite. */
  readonly schema?: string | undefined
  readonly view?: true | undefined
  /** Whether the table has row-level security. */
  readonly rowSecurity?: true | undefined
  readonly columns: { readonly [column: string]: ColumnDescription }
  /** The columns of the primary key. Empty for a view, and for a table without one. */
  readonly key: readonly string[]
  readonly foreignKeys: readonly ForeignKeyDescription[]
  /** The columns of each unique constraint and each unique index of whole columns, without the primary key. */
  readonly uniques: readonly (readonly string[])[]
  readonly indexes: readonly IndexDescription[]
}

/**
 * The tables of a database, as `npx kithgraph introspect` writes them. It contains names and types, but no values and
 * no secrets.
 */
export type DatabaseDescription = {
  readonly dialect: Dialect
  readonly tables: { readonly [table: string]: TableDescription }
}
