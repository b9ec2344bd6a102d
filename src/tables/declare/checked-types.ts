import type { DatabaseDescription } from '../description/database-description.ts'
import type { LooseDeclarations } from './declaration.ts'
import type { FieldColumns } from './fields.ts'
import type { TableNameOf } from './lists.ts'
import type { ColumnsOf } from './table-types.ts'

/*
 * A declaration is checked in two steps. The first works with sets of names, which is cheap for the compiler, and
 * finds whether there is an error. The second, for declarations with errors, replaces each wrong member by the text
 * of its error, so that the compiler reports it at the member.
 */

/** The names of the columns of a table. */
type ColumnName<TDb extends DatabaseDescription, TTable extends string, TNames> = keyof ColumnsOf<
  TDb,
  TTable,
  TNames
>

/** What the lists of a declaration may name: `photo.owner_id` for a type, and `join follow.note` for a join table. */
export type KnownColumns<TDb extends DatabaseDescription, TTypes extends LooseDeclarations, TNames> =
  | {
      [T in keyof TTypes]: `${T & string}.${ColumnName<TDb, TableNameOf<TTypes[T]['over']>, TNames> & string}`
    }[keyof TTypes]
  | {
      [J in keyof TDb['tables']]: `join ${J & string}.${ColumnName<TDb, J & string, TNames> & string}`
    }[keyof TDb['tables']]

type KnownField<TColumn> =
  | true
  | {
      readonly kind?: unknown
      readonly default?: unknown
      readonly description?: unknown
      readonly column?: TColumn
      readonly columns?: TColumn | readonly TColumn[]
    }

/** A field that says which column it is over, or that it has none. */
type NamesColumn = { readonly column: unknown } | { readonly kind: unknown }

/** The names of fields over columns of the same names that do not exist. */
type UnknownNames<TFields, TName extends keyof TFields> = string extends TName
  ? never
  : { [N in TName]: TFields[N] extends NamesColumn ? never : N }[TName]

type FindFieldError<TColumn, TFields> = TFields extends { readonly [name: string]: KnownField<TColumn> }
  ? UnknownNames<TFields, Exclude<keyof TFields, TColumn>>
  : true

/** The columns that the edges of a type name. */
type ColumnsInEdges<TType> = TType extends {
  readonly edges: { readonly [name: string]: { readonly '~uses'?: infer TUsed } }
}
  ? TUsed
  : never

type FindListError<TColumn, TKnown, TUsed> = [TUsed] extends [
  TKnown | `source.${TColumn & string}` | undefined,
]
  ? never
  : true

type FindTypeError<TType extends LooseDeclarations[string], TColumn, TKnown> =
  | FindFieldError<TColumn, TType['fields']>
  | ([keyof TType['where']] extends [TColumn] ? never : true)
  | FindListError<TColumn, TKnown, ColumnsInEdges<TType>>

/** Is `never` for a declaration without errors. */
type FindError<
  TDb extends DatabaseDescription,
  TTypes extends LooseDeclarations,
  TNames,
  TKnown = KnownColumns<TDb, TTypes, TNames>,
> = {
  [T in keyof TTypes]: FindTypeError<
    TTypes[T],
    ColumnName<TDb, TableNameOf<TTypes[T]['over']>, TNames>,
    TKnown
  >
}[keyof TTypes]

/** The text of an error about names that are not columns of a table, or a value if all are. */
type WithColumns<TColumn, TTable, TNames, TValue> = [TNames] extends [TColumn]
  ? TValue
  : `no column "${Exclude<TNames, TColumn> & string}" in ${TTable & string}`

type ReportedFields<TColumn, TTable, TFields> = {
  readonly [N in keyof TFields]: WithColumns<TColumn, TTable, FieldColumns<N, TFields[N]>, TFields[N]>
}

type ReportedWhere<TColumn, TTable, TWhere> = {
  readonly [C in keyof TWhere]: WithColumns<TColumn, TTable, C, TWhere[C]>
}

/** The text of the error of a name that a list uses. */
type UseError<TKnown, TUsed> = TUsed extends `${infer TRows}.${infer TColumn}`
  ? TKnown extends `${TRows}.${string}`
    ? `no column "${TColumn}" in ${TRows extends `join ${infer TJoin}` ? TJoin : TRows}`
    : never
  : never

type UnknownRows<TKnown, TUsed> = TUsed extends `${infer TRows}.${string}`
  ? [Extract<TKnown, `${TRows}.${string}`>] extends [never]
    ? TRows extends `join ${infer TTable}`
      ? `no table "${TTable}" in the description`
      : `no type "${TRows}" in the declaration`
    : never
  : never

type ReportedList<TKnown, TList> = TList extends { readonly '~uses'?: infer TUsed }
  ? [TUsed] extends [TKnown | undefined]
    ? TList
    : UseError<TKnown, Exclude<TUsed, TKnown>> | UnknownRows<TKnown, Exclude<TUsed, TKnown>>
  : TList

/** Lists with the texts of their errors. */
export type ReportedLists<TKnown, TLists> = { readonly [N in keyof TLists]: ReportedList<TKnown, TLists[N]> }

type ReportedMember<TColumn, TTable, TKnown, TName, TMember> = TName extends 'fields'
  ? ReportedFields<TColumn, TTable, TMember>
  : TName extends 'where'
    ? ReportedWhere<TColumn, TTable, TMember>
    : TName extends 'edges'
      ? ReportedLists<TKnown | `source.${TColumn & string}`, TMember>
      : TMember

type ReportedType<
  TDb extends DatabaseDescription,
  TType,
  TTable,
  TColumn,
  TKnown,
> = TTable extends keyof TDb['tables']
  ? { readonly [M in keyof TType]: ReportedMember<TColumn, TTable, TKnown, M, TType[M]> }
  : { readonly over: `no table "${TTable & string}" in the description` }

type ReportedTypes<
  TDb extends DatabaseDescription,
  TTypes extends LooseDeclarations,
  TNames,
  TKnown = KnownColumns<TDb, TTypes, TNames>,
> = {
  readonly [T in keyof TTypes]: ReportedType<
    TDb,
    TTypes[T],
    TableNameOf<TTypes[T]['over']>,
    ColumnName<TDb, TableNameOf<TTypes[T]['over']>, TNames>,
    TKnown
  >
}

/** The types of a declaration, with the texts of their errors. */
export type CheckedTypes<TDb extends DatabaseDescription, TTypes extends LooseDeclarations, TNames> = [
  FindError<TDb, TTypes, TNames>,
] extends [never]
  ? TTypes
  : ReportedTypes<TDb, TTypes, TNames> extends infer TReported extends Reported
    ? TReported
    : never
type Reported = { readonly [type: string]: object }
