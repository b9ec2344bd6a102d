import { type CheckedAs, toInferred } from './checked-as.ts'
import type {
  BackEdge,
  BackOptions,
  CollectionOf,
  NamingColumns,
  TableCollectionOptions,
  ThroughEdge,
  ThroughOptions,
} from './lists.ts'
import type { TableReference } from './references.ts'
import { assertColumns, assertJoinTable, assertTarget, toColumnList } from './references.ts'

/**
 * Declares an edge to the nodes whose rows contain the key of the source: `photos` of an account. If the columns have
 * a foreign key, it must lead to the key of the source's table, or of a table that shares it. Otherwise, and if the
 * source is a view, the types of the columns must be equal to those of the key.
 *
 * @param target The name of a type.
 * @param columns The column, or the columns in the order of the key, of the target's table.
 * @throws TypeError for a target or columns that are not names. `defineTables` checks the names and the options.
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
  const TColumn extends string,
  const TOptions extends BackOptions = Record<never, never>,
  const TBy extends string = never,
  const TWhere extends string = never,
  const TParameter extends string = never,
>(
  target: TTarget,
  columns: TColumn | readonly TColumn[],
  options?: CheckedAs<BackOptions, TOptions> & NamingColumns<TBy, TWhere, TParameter>,
): BackEdge<TTarget, TOptions, TColumn | TBy | TWhere> => {
  assertTarget('back', target)
  assertColumns('back', columns)
  return Object.freeze({
    kind: 'back',
    target,
    columns: toColumnList(columns),
    options: toInferred<TOptions>(options),
  })
}

/**
 * Declares an edge to the nodes that the rows of a join table connect with the source: the accounts that an account
 * follows. Each pair of nodes has at most one row. Columns of the join table can be fields of the edge.
 *
 * @param joinTable The name of the join table. A view, or a table without a key, is `{ table, key }`.
 * @param columns The columns of the join table that are equal to the key of the source.
 * @param target The name of a type.
 * @param targetColumns The columns of the join table that are equal to the key of the target.
 * @throws TypeError for a table, a target or columns that are not names. `defineTables` checks the names and the
 * options.
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
  const TColumn extends string,
  const TTarget extends string,
  const TTargetColumn extends string,
  const TOptions extends ThroughOptions = Record<never, never>,
  const TBy extends string = never,
  const TWhere extends string = never,
  const TParameter extends string = never,
>(
  joinTable: TJoin,
  columns: TColumn | readonly TColumn[],
  target: TTarget,
  targetColumns: TTargetColumn | readonly TTargetColumn[],
  options?: CheckedAs<ThroughOptions, TOptions> & NamingColumns<TBy, TWhere, TParameter>,
): ThroughEdge<TJoin, TTarget, TOptions, TColumn | TTargetColumn | TBy | TWhere> => {
  assertJoinTable('through', joinTable)
  assertColumns('through', columns)
  assertTarget('through', target)
  assertColumns('through', targetColumns, 'targetColumns')
  return Object.freeze({
    kind: 'through',
    joinTable,
    columns: toColumnList(columns),
    target,
    targetColumns: toColumnList(targetColumns),
    options: toInferred<TOptions>(options),
  })
}

/**
 * Declares a collection: the list of all nodes of a type. It is read from the table itself.
 *
 * @param target The name of a type.
 * @throws TypeError for a target that is not a name. `defineTables` checks the name and the options.
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
  const TBy extends string = never,
  const TWhere extends string = never,
  const TParameter extends string = never,
>(
  target: TTarget,
  options?: CheckedAs<TableCollectionOptions, TOptions> & NamingColumns<TBy, TWhere, TParameter>,
): CollectionOf<TTarget, TOptions, TBy | TWhere> => {
  assertTarget('collection', target)
  return Object.freeze({ kind: 'tableCollection', target, options: toInferred<TOptions>(options) })
}
