import type { DatabaseDescription } from '../description/database-description.ts'
import type { CheckedAs } from './checked-as.ts'
import type { LooseDeclarations } from './declaration.ts'
import type { ThroughOptions } from './lists.ts'
import type { ReportedLists, ReportedTypes } from './reported-types.ts'
import type { ColumnsByType, NamedTables, TablesOf } from './table-types.ts'

/*
 * A declaration is checked in two steps. The first works with sets of names, which is cheap for the compiler, and
 * finds whether there is an error. The second, for declarations with errors, replaces each wrong member by the text
 * of its error, so that the compiler reports it at the member.
 */

type KnownField<TColumn, TTypeName> =
  | true
  | {
      readonly kind?: unknown
      readonly default?: unknown
      readonly description?: unknown
      readonly column?: TColumn
      readonly columns?: TColumn | readonly TColumn[]
      readonly target?: TTypeName
    }

/** A field that says which column it is over, or that it has none; or a field together with its column. */
type FieldWithColumn = { readonly column: unknown } | { readonly kind: unknown } | { readonly type: unknown }

/** Is `never` for fields that have columns of the same names, or say which column they are over. */
type FindUnknownName<TFields, TColumns> = TFields & TColumns extends {
  readonly [name: string]: FieldWithColumn
}
  ? never
  : true

/** The options of an edge that is counted by a column of its source that exists, if by any. */
type KnownOptions<TColumn> = OtherOptions & {
  readonly count?: number | string | { readonly column: TColumn } | undefined
}

type OtherOptions = { readonly [O in Exclude<keyof ThroughOptions, 'count'>]?: unknown }

/** A type whose fields and edges name columns and types that exist. */
type KnownType<TTables, TColumnsByType, TColumn> = {
  readonly over: keyof TTables | { readonly table: keyof TTables }
  readonly fields: { readonly [name: string]: KnownField<TColumn, keyof TColumnsByType> }
  readonly edges?:
    | {
        readonly [name: string]: {
          readonly target: keyof TColumnsByType
          readonly options: KnownOptions<TColumn>
          readonly '~uses'?: (columns: TColumnsByType) => void
          readonly '~joins'?: (tables: TTables) => void
        }
      }
    | undefined
}

/** Is `never` for a type without errors. */
type FindTypeError<TType extends LooseDeclarations[string], TTables, TColumnsByType, TColumns> =
  | (TType extends KnownType<TTables, TColumnsByType, keyof TColumns> ? never : true)
  | FindUnknownName<TType['fields'], TColumns>
  | Exclude<keyof TType['where'], keyof TColumns>

/** Is `never` for a declaration without errors, and for one that the compiler does not know. */
type FindError<
  TTables extends NamedTables,
  TTypes extends LooseDeclarations,
  TColumnsByType extends ColumnsByType<TTables, TTypes> = ColumnsByType<TTables, TTypes>,
> = {
  [T in keyof TTypes]: string extends T
    ? never
    : FindTypeError<TTypes[T], TTables, TColumnsByType, TColumnsByType[T]>
}[keyof TTypes]

/** Hides the reported types from inference and from the types of the arguments, which would take much time. */
type Reported = { readonly [type: string]: object }

type CheckedTypesOver<TTables extends NamedTables, TTypes extends LooseDeclarations> = [
  FindError<TTables, TTypes>,
] extends [never]
  ? CheckedAs<LooseDeclarations, TTypes>
  : ReportedTypes<TTables, TTypes> extends infer TReported extends Reported
    ? TReported
    : never

/** The types of a declaration, with the texts of their errors. */
export type CheckedTypes<
  TDb extends DatabaseDescription,
  TTypes extends LooseDeclarations,
  TNames,
> = CheckedTypesOver<TablesOf<TDb, TNames>, TTypes>

/** Is `never` for collections without errors. */
type FindListError<TColumnsByType, TLists> = TLists extends {
  readonly [name: string]: {
    readonly target: keyof TColumnsByType
    readonly '~uses'?: (columns: TColumnsByType) => void
  }
}
  ? never
  : true

type CheckedLists<TTables extends NamedTables, TColumnsByType, TLists> = string extends keyof TColumnsByType
  ? unknown
  : [FindListError<TColumnsByType, TLists>] extends [never]
    ? unknown
    : ReportedLists<TTables, TColumnsByType, TLists>

type CheckedListsOver<TTables extends NamedTables, TTypes extends LooseDeclarations, TLists> = CheckedLists<
  TTables,
  ColumnsByType<TTables, TTypes>,
  TLists
>

/** The collections in the options of a declaration, with the texts of their errors. */
export type CheckedCollections<
  TDb extends DatabaseDescription,
  TTypes extends LooseDeclarations,
  TOptions,
> = TOptions extends { readonly collections: infer TCollections; readonly names?: infer TNames }
  ? { readonly collections?: CheckedListsOver<TablesOf<TDb, TNames>, TTypes, TCollections> }
  : unknown
