import type { DatabaseDescription } from '../description/database-description.ts'
import type { LooseDeclarations } from './declaration.ts'
import type { FieldColumns } from './fields.ts'
import type { TableNameOf } from './references.ts'
import type { NamedTables, TablesOf } from './table-types.ts'

/*
 * A declaration is checked in two steps. The first works with sets of names, which is cheap for the compiler, and
 * finds whether there is an error. The second, for declarations with errors, replaces each wrong member by the text
 * of its error, so that the compiler reports it at the member.
 */

/** The names of the columns of a table. */
type ColumnName<TTables extends NamedTables, TTable extends string> = keyof TTables[TTable]['columns']

/** What the lists of a declaration may name: `photo.owner_id` for a type, and `join follow.note` for a join table. */
export type KnownColumns<TTables extends NamedTables, TTypes extends LooseDeclarations> =
  | {
      [T in keyof TTypes]: `${T & string}.${ColumnName<TTables, TableNameOf<TTypes[T]['over']>> & string}`
    }[keyof TTypes]
  | {
      [J in keyof TTables]: `join ${J & string}.${ColumnName<TTables, J & string> & string}`
    }[keyof TTables]

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

/** A type whose fields and edges name columns that exist. `source.` stands for the columns of the type itself. */
type KnownType<TTable, TColumn, TKnown> = {
  readonly over: TTable | { readonly table: TTable }
  readonly fields: { readonly [name: string]: KnownField<TColumn> }
  readonly edges?:
    | { readonly [name: string]: { readonly '~uses'?: TKnown | `source.${TColumn & string}` } }
    | undefined
}

/** Is `never` for a type without errors. */
type FindTypeError<TType extends LooseDeclarations[string], TTable, TColumn, TKnown> =
  | (TType extends KnownType<TTable, TColumn, TKnown> ? never : true)
  | UnknownNames<TType['fields'], Exclude<keyof TType['fields'], TColumn>>
  | Exclude<keyof TType['where'], TColumn>

/** Is `never` for a declaration without errors. */
type FindError<
  TTables extends NamedTables,
  TTypes extends LooseDeclarations,
  TKnown = KnownColumns<TTables, TTypes>,
> = {
  [T in keyof TTypes]: FindTypeError<
    TTypes[T],
    keyof TTables,
    ColumnName<TTables, TableNameOf<TTypes[T]['over']>>,
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
type UseError<TKnown, TUsed, TTable> = TUsed extends `${infer TRows}.${infer TColumn}`
  ? TKnown extends `${TRows}.${string}`
    ? `no column "${TColumn}" in ${TRows extends `join ${infer TJoin}` ? TJoin : TRows extends 'source' ? TTable & string : TRows}`
    : never
  : never

type UnknownRows<TKnown, TUsed> = TUsed extends `${infer TRows}.${string}`
  ? [Extract<TKnown, `${TRows}.${string}`>] extends [never]
    ? TRows extends `join ${infer TTable}`
      ? `no table "${TTable}" in the description`
      : `no type "${TRows}" in the declaration`
    : never
  : never

type ReportedList<TKnown, TList, TTable> = TList extends { readonly '~uses'?: infer TUsed }
  ? [TUsed] extends [TKnown | undefined]
    ? TList
    : UseError<TKnown, Exclude<TUsed, TKnown>, TTable> | UnknownRows<TKnown, Exclude<TUsed, TKnown>>
  : TList

/** Lists with the texts of their errors. */
type ReportedLists<TKnown, TLists, TTable = never> = {
  readonly [N in keyof TLists]: ReportedList<TKnown, TLists[N], TTable>
}

type ReportedMember<TColumn, TTable, TKnown, TName, TMember> = TName extends 'fields'
  ? ReportedFields<TColumn, TTable, TMember>
  : TName extends 'where'
    ? ReportedWhere<TColumn, TTable, TMember>
    : TName extends 'edges'
      ? ReportedLists<TKnown | `source.${TColumn & string}`, TMember, TTable>
      : TMember

type ReportedType<TTables extends NamedTables, TType, TTable, TColumn, TKnown> = TTable extends keyof TTables
  ? { readonly [M in keyof TType]: ReportedMember<TColumn, TTable, TKnown, M, TType[M]> }
  : { readonly over: `no table "${TTable & string}" in the description` }

type ReportedTypes<
  TTables extends NamedTables,
  TTypes extends LooseDeclarations,
  TKnown = KnownColumns<TTables, TTypes>,
> = {
  readonly [T in keyof TTypes]: ReportedType<
    TTables,
    TTypes[T],
    TableNameOf<TTypes[T]['over']>,
    ColumnName<TTables, TableNameOf<TTypes[T]['over']>>,
    TKnown
  >
}

/** Hides the reported types from inference and from the types of the arguments, which would take much time. */
type Reported = { readonly [type: string]: object }

type CheckedTypesOver<TTables extends NamedTables, TTypes extends LooseDeclarations> = [
  FindError<TTables, TTypes>,
] extends [never]
  ? TTypes
  : ReportedTypes<TTables, TTypes> extends infer TReported extends Reported
    ? TReported
    : never

/** The types of a declaration, with the texts of their errors. */
export type CheckedTypes<
  TDb extends DatabaseDescription,
  TTypes extends LooseDeclarations,
  TNames,
> = CheckedTypesOver<TablesOf<TDb, TNames>, TTypes>

type FindListError<TKnown, TLists> = TLists extends {
  readonly [name: string]: { readonly '~uses'?: TKnown }
}
  ? never
  : true

type CheckedLists<TKnown, TLists> = [FindListError<TKnown, TLists>] extends [never]
  ? unknown
  : ReportedLists<TKnown, TLists>

/** The collections in the options of a declaration, with the texts of their errors. */
export type CheckedCollections<
  TDb extends DatabaseDescription,
  TTypes extends LooseDeclarations,
  TOptions,
> = TOptions extends { readonly collections: infer TCollections; readonly names?: infer TNames }
  ? { readonly collections?: CheckedLists<KnownColumns<TablesOf<TDb, TNames>, TTypes>, TCollections> }
  : unknown
