import type { EdgeOptions } from '../../schema/edge.ts'
import type { Parameters } from '../../schema/parameter.ts'
import type { ColumnFieldDeclaration, ColumnForm, ColumnsInFields } from './fields.ts'
import type { TableNameOf, TableReference } from './references.ts'
import type { ListWhere, ParameterValue, WhereValue } from './where.ts'

/** The order of a list. Rows with equal values of `by` are in the order of the keys of the targets. */
export type TableOrder = {
  /** A column of the table whose rows are the entries. Default: the key of the targets. */
  readonly by?: string | undefined
  /** How the times of `by` are stored in SQLite. Default: as the field of the targets over this column says. */
  readonly as?: Exclude<ColumnForm, 'text'> | undefined
  /**
   * Rows without a value of `by`: `skip` leaves them out of the list and its count, and `end` puts them after all
   * others in the descending order. Required if the column may be NULL.
   */
  readonly nulls?: 'skip' | 'end' | undefined
}

/** A further order of a list. */
export type TableOrderDeclaration = TableOrder & {
  /** Default `descending`, the largest value first. */
  readonly direction?: 'descending' | 'ascending' | undefined
}

/**
 * How a list is counted: up to a number of rows, exactly, or by an integer column of the source's row, which the
 * team's own programs keep. A list with more rows than the number has no `total_count`.
 */
export type CountDeclaration = number | 'exact' | { readonly column: string }

/*
 * The options are interfaces, because the compiler then calls them by their names in errors.
 */

/** The options of every list. */
export interface TableListOptions
  extends Pick<EdgeOptions, 'description' | 'defaults' | 'scope' | 'policy'>,
    TableOrder {
  /**
   * The order of the list if a call does not specify `order`: the name of one of `orders`, `reverse_chronological`
   * (the default, the largest value of `by` first) or `chronological` (the smallest first), also if `by` is not a
   * time. To sort from A to Z under a name of its own, declare one of `orders` with `direction: 'ascending'`.
   */
  readonly order?: string | undefined
  /** Further orders, which a call chooses with `order`. */
  readonly orders?: { readonly [name: string]: TableOrderDeclaration } | undefined
  /** The conditions that the rows of the table must meet. The `where` of the target's type applies too. */
  readonly where?: ListWhere | undefined
  /** Parameters with a finite number of values, which `where` uses with `fromParameter`. */
  readonly parameters?: Parameters | undefined
}

/** The options of {@link back}. */
export interface BackOptions extends TableListOptions {
  /** How `total_count` is counted. Default: up to 10,000 rows. */
  readonly count?: CountDeclaration | undefined
}

/** The options of {@link through}. */
export interface ThroughOptions extends BackOptions {
  /** The fields of the edge itself, over columns of the join table. */
  readonly fields?: { readonly [name: string]: ColumnFieldDeclaration } | undefined
  /** The time zone of the `timestamp` columns of the join table. Default `UTC`. */
  readonly timeZone?: string | undefined
}

/** The options of {@link collection}. */
export interface TableCollectionOptions extends TableListOptions {
  /** How `total_count` is counted. Default: up to 10,000 rows. */
  readonly count?: Exclude<CountDeclaration, { readonly column: string }> | undefined
}

/** The columns of the join table that the fields of an edge name. */
type ColumnsOfEntries<TOptions> = TOptions extends { readonly fields: infer TFields }
  ? ColumnsInFields<TFields> & string
  : never

/** An edge to the rows of another table that name the source, which {@link back} creates. */
export type BackDeclaration = {
  readonly kind: 'back'
  readonly target: string
  readonly columns: readonly string[]
  readonly options: BackOptions
}

/** An edge to the rows that a join table connects with the source, which {@link through} creates. */
export type ThroughDeclaration = {
  readonly kind: 'through'
  readonly joinTable: TableReference
  readonly columns: readonly string[]
  readonly target: string
  readonly targetColumns: readonly string[]
  readonly options: ThroughOptions
}

/** A list of all rows of a type, which {@link collection} creates. */
export type TableCollection = {
  readonly kind: 'tableCollection'
  readonly target: string
  readonly options: TableCollectionOptions
}

/**
 * The columns of a type that a list names. It is the parameter of a function that does not exist at run time, so that
 * the list is assignable to one over types that have these columns.
 */
type UsesColumns<TTarget extends string, TColumn extends string> = (
  columns: {
    readonly [T in TTarget]: { readonly [C in TColumn]: unknown }
  },
) => void

/** The columns of a join table that a list names, as in {@link UsesColumns}. */
type JoinsBy<TTable extends string, TColumn extends string> = (
  tables: {
    readonly [T in TTable]: { readonly columns: { readonly [C in TColumn]: unknown } }
  },
) => void

/** An edge that {@link back} returns, with its literal types. */
export type BackEdge<TTarget extends string, TOptions, TColumn extends string> = {
  readonly kind: 'back'
  readonly target: TTarget
  readonly columns: readonly string[]
  readonly options: TOptions
  readonly '~uses'?: UsesColumns<TTarget, TColumn>
}

/** An edge that {@link through} returns, with its literal types. */
export type ThroughEdge<TJoin, TTarget, TOptions, TColumn extends string> = {
  readonly kind: 'through'
  readonly joinTable: TJoin
  readonly columns: readonly string[]
  readonly target: TTarget
  readonly targetColumns: readonly string[]
  readonly options: TOptions
  readonly '~joins'?: JoinsBy<TableNameOf<TJoin>, TColumn | ColumnsOfEntries<TOptions>>
}

/** A collection that {@link collection} returns, with its literal types. */
export type CollectionOf<TTarget extends string, TOptions, TColumn extends string> = {
  readonly kind: 'tableCollection'
  readonly target: TTarget
  readonly options: TOptions
  readonly '~uses'?: UsesColumns<TTarget, TColumn>
}

/** Infers the columns in the options of a list, and the parameters that its `where` may use. */
export type NamingColumns<TBy extends string, TWhere extends string, TParameter extends string> = {
  readonly by?: TBy | undefined
  readonly orders?: { readonly [order: string]: { readonly by?: TBy | undefined } } | undefined
  readonly parameters?: { readonly [P in TParameter]: unknown } | undefined
  readonly where?: { readonly [C in TWhere]: WhereValue | ParameterValue<NoInfer<TParameter>> } | undefined
}

/** An edge of a type. */
export type TableEdgeDeclaration = BackDeclaration | ThroughDeclaration
