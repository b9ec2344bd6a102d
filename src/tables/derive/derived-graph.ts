import type { ColumnForm } from '../declare/fields.ts'
import type { TableReference } from '../declare/references.ts'

/** A field over a column. */
export type DerivedColumnField = {
  readonly name: string
  readonly column: string
  readonly as: ColumnForm | undefined
  readonly isDefault: boolean
}

/** A field that leads to the row of a foreign key. */
export type DerivedRef = {
  readonly name: string
  readonly target: string
  readonly columns: readonly string[]
}

/** The order of a list, by a column that an index sorts. */
export type DerivedSort = {
  readonly by: string
  readonly nulls: 'skip' | undefined
  /** Absent if a field of the target shows the column. */
  readonly as: Exclude<ColumnForm, 'text'> | undefined
}

/** A list of the rows that name the source. */
export type DerivedBack = {
  readonly kind: 'back'
  readonly name: string
  readonly target: string
  readonly columns: readonly string[]
  readonly sort: DerivedSort | undefined
}

/** A list of the rows that a join table connects with the source. */
export type DerivedThrough = Omit<DerivedBack, 'kind'> & {
  readonly kind: 'through'
  readonly join: string
  readonly targetColumns: readonly string[]
  readonly fields: readonly DerivedColumnField[]
}

/** A type over a table. */
export type DerivedType = {
  readonly name: string
  readonly over: TableReference
  readonly columnFields: readonly DerivedColumnField[]
  readonly refs: readonly DerivedRef[]
  readonly edges: readonly (DerivedBack | DerivedThrough)[]
  /** A column that has a value in rows that the team's programs treat as deleted, by its name. */
  readonly deletedColumn: string | undefined
}

/** A list of all nodes of a type. */
export type DerivedCollection = {
  readonly name: string
  readonly target: string
  readonly sort: DerivedSort | undefined
}

/** A column of a key, with a type whose values cannot be in ids. */
export type UnusableKey = { readonly column: string; readonly type: string }

/** Why the graph does not contain a table. */
export type TableReason =
  | { readonly reason: 'secret' | 'noKey' }
  | { readonly reason: 'keyType'; readonly key: UnusableKey }

/** A column, or a whole table, that the graph does not contain. */
export type LeftOut = { readonly table: string } & (
  | { readonly column: string; readonly reason: 'secret' | 'binary' }
  | ({ readonly column: undefined } & TableReason)
)

/** A first graph over the tables of a database. */
export type DerivedGraph = {
  readonly types: readonly DerivedType[]
  readonly collections: readonly DerivedCollection[]
  /** A type whose name suggests that its nodes are users. */
  readonly viewer: string | undefined
  readonly leftOut: readonly LeftOut[]
}
