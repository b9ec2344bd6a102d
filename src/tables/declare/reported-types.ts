import type { LooseDeclarations } from './declaration.ts'
import type { FieldColumns } from './fields.ts'
import type { TableNameOf } from './references.ts'
import type { ColumnsByType, NamedTables } from './table-types.ts'

/** The text of an error about names that are not columns of a table, or a value if all are. */
type WithColumns<TColumn, TTable, TNames, TValue> = [TNames] extends [TColumn]
  ? TValue
  : `no column "${Exclude<TNames, TColumn> & string}" in ${TTable & string}`

/** The text of an error about a target that is not a type, or a value if it is one. */
type WithTarget<TTypeName, TTarget, TValue> = TTarget extends TTypeName
  ? TValue
  : `no type "${TTarget & string}" in the declaration`

type ReportedField<TTypeName, TField> = TField extends { readonly target: infer TTarget }
  ? WithTarget<TTypeName, TTarget, TField>
  : TField

/** Fields with the texts of their errors. Names that the compiler does not know are checked at run time. */
type ReportedFields<TColumn, TTable, TTypeName, TFields> = string extends keyof TFields
  ? TFields
  : {
      readonly [N in keyof TFields]: WithColumns<
        TColumn,
        TTable,
        FieldColumns<N, TFields[N]>,
        ReportedField<TTypeName, TFields[N]>
      >
    }

type ReportedWhere<TColumn, TTable, TWhere> = {
  readonly [C in keyof TWhere]: WithColumns<TColumn, TTable, C, TWhere[C]>
}

/** A list, or the text of the error of the columns of its target. */
type ReportedUses<TColumnsByType, TList> = TList extends { readonly '~uses'?: (columns: infer TUsed) => void }
  ? {
      [T in keyof TUsed]: WithColumns<
        keyof TColumnsByType[T & keyof TColumnsByType],
        T,
        keyof TUsed[T],
        TList
      >
    }[keyof TUsed]
  : TList

/** A list, or the text of the error of its join table or of the columns of this table. */
type ReportedJoin<TTables extends NamedTables, TList> = TList extends {
  readonly '~joins'?: (tables: infer TUsed extends NamedTables) => void
}
  ? {
      [T in keyof TUsed]: T extends keyof TTables
        ? WithColumns<keyof TTables[T]['columns'], T, keyof TUsed[T]['columns'], TList>
        : `no table "${T & string}" in the description`
    }[keyof TUsed]
  : TList

/** A list, or the text of the error of the column that counts it. */
type ReportedCount<TColumn, TTable, TList> = TList extends {
  readonly options: { readonly count: { readonly column: infer TCount } }
}
  ? WithColumns<TColumn, TTable, TCount, TList>
  : TList

/** A list, or the texts of its errors. */
type ReportedList<TTables extends NamedTables, TColumnsByType, TList> = TList extends {
  readonly target: infer TTarget
}
  ? WithTarget<
      keyof TColumnsByType,
      TTarget,
      ReportedJoin<TTables, TList> extends TList
        ? ReportedUses<TColumnsByType, TList>
        : ReportedJoin<TTables, TList>
    >
  : TList

/** Lists with the texts of their errors. */
export type ReportedLists<TTables extends NamedTables, TColumnsByType, TLists> = {
  readonly [N in keyof TLists]: ReportedList<TTables, TColumnsByType, TLists[N]>
}

type ReportedEdges<TTables extends NamedTables, TColumnsByType, TColumn, TTable, TEdges> = {
  readonly [N in keyof TEdges]: ReportedCount<
    TColumn,
    TTable,
    ReportedList<TTables, TColumnsByType, TEdges[N]>
  >
}

type ReportedMember<
  TTables extends NamedTables,
  TColumnsByType,
  TColumn,
  TTable,
  TName,
  TMember,
> = TName extends 'fields'
  ? ReportedFields<TColumn, TTable, keyof TColumnsByType, TMember>
  : TName extends 'where'
    ? ReportedWhere<TColumn, TTable, TMember>
    : TName extends 'edges'
      ? ReportedEdges<TTables, TColumnsByType, TColumn, TTable, TMember>
      : TMember

type ReportedType<TTables extends NamedTables, TColumnsByType, TType, TTable> = TTable extends keyof TTables
  ? {
      readonly [M in keyof TType]: ReportedMember<
        TTables,
        TColumnsByType,
        keyof TTables[TTable]['columns'],
        TTable,
        M,
        TType[M]
      >
    }
  : { readonly over: `no table "${TTable & string}" in the description` }

/** Types in which the text of its error replaces each wrong member. */
export type ReportedTypes<
  TTables extends NamedTables,
  TTypes extends LooseDeclarations,
  TColumnsByType = ColumnsByType<TTables, TTypes>,
> = {
  readonly [T in keyof TTypes]: ReportedType<
    TTables,
    TColumnsByType,
    TTypes[T],
    TableNameOf<TTypes[T]['over']>
  >
}
