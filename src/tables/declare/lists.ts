import type { EdgeOptions } from '../../schema/edge.ts'
import type { Parameters } from '../../schema/parameter.ts'
import type { ColumnFieldDeclaration, ColumnForm, ColumnNames } from './fields.ts'
import type { ListWhere } from './where.ts'

/** What a list is ordered by. Rows with equal values are in the order of the keys of the targets. */
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
 * team's own programs keep. A longer list than the number has no `total_count`. Default 10,000.
 */
export type CountDeclaration = number | 'exact' | { readonly column: string }

/** The options of every list. */
export type TableListOptions = Pick<EdgeOptions, 'description' | 'defaults' | 'scope' | 'policy' | 'order'> &
  TableOrder & {
    /** Further orders, which a call chooses with `order`. */
    readonly orders?: { readonly [name: string]: TableOrderDeclaration } | undefined
    /** What the rows of the table must be like. The `where` of the target's type applies too. */
    readonly where?: ListWhere | undefined
    /** Parameters with a finite number of values, which `where` uses with `fromParameter`. */
    readonly parameters?: Parameters | undefined
  }

/** The options of {@link back}. */
export type BackOptions = TableListOptions & { readonly count?: CountDeclaration | undefined }

/** The options of {@link through}. */
export type ThroughOptions = BackOptions & {
  /** The fields of the edge itself, over columns of the join table. */
  readonly fields?: { readonly [name: string]: ColumnFieldDeclaration } | undefined
  /** The time zone of the `timestamp` columns of the join table. Default `UTC`. */
  readonly timeZone?: string | undefined
}

/** The options of {@link collection}. */
export type TableCollectionOptions = TableListOptions & {
  readonly count?: Exclude<CountDeclaration, { readonly column: string }> | undefined
}

/** A table, or a table with the columns that are different in each of its rows. */
export type TableReference = string | { readonly table: string; readonly key: ColumnNames }

/** An edge to the rows of another table that name the source, which {@link back} creates. */
export type BackDeclaration<
  TTarget extends string = string,
  TColumns extends ColumnNames = ColumnNames,
  TOptions extends BackOptions = BackOptions,
> = {
  readonly kind: 'back'
  readonly target: TTarget
  readonly columns: TColumns
  readonly options: TOptions
}

/** An edge to the rows that a join table connects with the source, which {@link through} creates. */
export type ThroughDeclaration<
  TJoin extends TableReference = TableReference,
  TColumns extends ColumnNames = ColumnNames,
  TTarget extends string = string,
  TTargetColumns extends ColumnNames = ColumnNames,
  TOptions extends ThroughOptions = ThroughOptions,
> = {
  readonly kind: 'through'
  readonly joinTable: TJoin
  readonly columns: TColumns
  readonly target: TTarget
  readonly targetColumns: TTargetColumns
  readonly options: TOptions
}

/** A list of all rows of a type, which {@link collection} creates. */
export type TableCollection<
  TTarget extends string = string,
  TOptions extends TableCollectionOptions = TableCollectionOptions,
> = { readonly kind: 'tableCollection'; readonly target: TTarget; readonly options: TOptions }

/** An edge of a type. */
export type TableEdgeDeclaration = BackDeclaration | ThroughDeclaration

/**
 * Declares an edge to the nodes whose rows contain the key of the source: `photos` of an account. If the columns have
 * a foreign key, it must lead to the key of the source's table. Otherwise, the types of the columns must be equal to
 * those of the key.
 *
 * @param target The name of a type.
 * @param columns The column, or the columns in the order of the key, of the target's table.
 * @example
 * ```ts
 * import { back } from 'kithgraph/tables'
 *
 * const photos = back('photo', 'owner_id', { by: 'created_at', where: { deleted_at: null } })
 * console.log(photos.options.by) // created_at
 * ```
 */
export const back = <
  const TTarget extends string,
  const TColumns extends ColumnNames,
  const TOptions extends BackOptions = Record<never, never>,
>(
  target: TTarget,
  columns: TColumns,
  options?: TOptions,
): BackDeclaration<TTarget, TColumns, TOptions> =>
  // Without an argument, the type of the options is that of an empty object.
  Object.freeze({ kind: 'back', target, columns, options: options ?? ({} as TOptions) })

/**
 * Declares an edge to the nodes that the rows of a join table connect with the source: the accounts that an account
 * follows. Each pair of nodes has at most one row. Columns of the join table can be fields of the edge.
 *
 * @param join The name of the join table. A view, or a table without a key, is `{ table, key }`.
 * @param columns The columns of the join table that are equal to the key of the source.
 * @param target The name of a type.
 * @param targetColumns The columns of the join table that are equal to the key of the target.
 * @example
 * ```ts
 * import { through } from 'kithgraph/tables'
 *
 * const following = through('follow', 'follower_id', 'account', 'followee_id', {
 *   by: 'created_at',
 *   fields: { note: true },
 * })
 * console.log(following.joinTable) // follow
 * ```
 */
export const through = <
  const TJoin extends TableReference,
  const TColumns extends ColumnNames,
  const TTarget extends string,
  const TTargetColumns extends ColumnNames,
  const TOptions extends ThroughOptions = Record<never, never>,
>(
  join: TJoin,
  columns: TColumns,
  target: TTarget,
  targetColumns: TTargetColumns,
  options?: TOptions,
): ThroughDeclaration<TJoin, TColumns, TTarget, TTargetColumns, TOptions> =>
  Object.freeze({
    kind: 'through',
    joinTable: join,
    columns,
    target,
    targetColumns,
    // Without an argument, the type of the options is that of an empty object.
    options: options ?? ({} as TOptions),
  })

/**
 * Declares a collection: the list of all nodes of a type. It is read from the table itself.
 *
 * @example
 * ```ts
 * import { collection } from 'kithgraph/tables'
 *
 * const photos = collection('photo', { by: 'created_at' })
 * console.log(photos.target) // photo
 * ```
 */
export const collection = <
  const TTarget extends string,
  const TOptions extends TableCollectionOptions = Record<never, never>,
>(
  target: TTarget,
  options?: TOptions,
): TableCollection<TTarget, TOptions> =>
  // Without an argument, the type of the options is that of an empty object.
  Object.freeze({ kind: 'tableCollection', target, options: options ?? ({} as TOptions) })
