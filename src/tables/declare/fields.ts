import type { Field, FieldOptions } from '../../schema/field.ts'
import { type CheckedAs, toInferred } from './checked-as.ts'
import { assertColumns, assertTarget, type ColumnNames } from './references.ts'

/** The type of the values of a `json` or `jsonb` column, which {@link json} creates. */
export type JsonType<TValue = unknown> = { readonly kind: 'json'; readonly '~value'?: TValue }

/**
 * Declares what the values of a `json` or `jsonb` column are. The type exists only at compile time: values are not
 * checked.
 *
 * @example
 * ```ts
 * import { json } from 'kithgraph/tables'
 *
 * const settings = { as: json<{ theme: 'light' | 'dark' }>() }
 * console.log(settings.as.kind) // json
 * ```
 */
export const json = <TValue>(): JsonType<TValue> => Object.freeze({ kind: 'json' })

/**
 * How the values of a column are read: `text` as the database writes them, or in SQLite as times: integer
 * milliseconds or seconds since the epoch, or ISO 8601.
 */
export type ColumnForm = 'text' | 'unixMs' | 'unixSeconds' | 'iso'

/** The options of a field over a column. */
export type ColumnFieldOptions = FieldOptions & {
  /** The name of the column. Default: the name of the field. */
  readonly column?: string | undefined
  /** How the values are read. Default: by the type of the column. Some types require it, such as `bytea`. */
  readonly as?: ColumnForm | JsonType | undefined
  /** The cost of an array or of JSON in each record, an integer of at least 1. Default 5. */
  readonly weight?: number | undefined
}

/** A field that leads to the node of another row, which {@link ref} creates. */
export type RefDeclaration<
  TTarget extends string = string,
  TColumns extends ColumnNames = ColumnNames,
  TOptions extends FieldOptions = FieldOptions,
> = {
  readonly kind: 'tableRef'
  readonly target: TTarget
  readonly columns: TColumns
  readonly options: TOptions
}

/**
 * Declares a field that leads to the node whose key the columns contain. If the columns have a foreign key, it must
 * lead to the key of the target's table, or of a table that shares it. Otherwise, and if the target is a view, the types
 * of the columns must be equal to those of the key.
 *
 * @param target The name of a type.
 * @param columns The column, or the columns in the order of the key, of the type's own table.
 * @throws TypeError for a target or columns that are not names. `defineTables` checks the names.
 * @example
 * ```ts
 * import { ref } from 'kithgraph/tables'
 *
 * const owner = ref('account', 'owner_id', { description: 'Who took the photo.' })
 * console.log(owner.target) // account
 * ```
 */
export const ref = <
  const TTarget extends string,
  const TColumns extends ColumnNames,
  const TOptions extends FieldOptions = Record<never, never>,
>(
  target: TTarget,
  columns: TColumns,
  options?: CheckedAs<FieldOptions, TOptions>,
): RefDeclaration<TTarget, TColumns, TOptions> => {
  assertTarget('ref', target)
  assertColumns('ref', columns)
  return Object.freeze({ kind: 'tableRef', target, columns, options: toInferred<TOptions>(options) })
}

/** A field over a column of its own name, or with options. */
export type ColumnFieldDeclaration = true | ColumnFieldOptions

/**
 * A field of a type: a column, a ref, or a field without a column, such as `field.string({ resolve })` or
 * `field.viewerEdge('likes')`.
 */
export type TableFieldDeclaration = ColumnFieldDeclaration | RefDeclaration | Field

/** The kinds of fields that functions create. */
export type TableFieldKind = RefDeclaration['kind'] | Field['kind']

/** One name or an array of names, as a union. */
export type NamesIn<TNames> = TNames extends readonly (infer TName)[] ? TName : TNames

/** The columns that a field names. */
export type FieldColumns<TName, TDeclared> = TDeclared extends true
  ? TName
  : TDeclared extends { readonly column: infer TColumn }
    ? TColumn
    : TDeclared extends { readonly columns: infer TColumns }
      ? NamesIn<TColumns>
      : TDeclared extends { readonly kind: unknown }
        ? never
        : TName

/** The columns that fields name. */
export type ColumnsInFields<TFields> = { [N in keyof TFields]: FieldColumns<N, TFields[N]> }[keyof TFields]
