/*
 * Targets are checked in two steps, as in declarations over tables. The first compares all members at once, which is
 * cheap for the compiler. The second, only for errors, replaces each wrong member by the text of its error.
 */

/** A field or an edge that leads only to types of these names. */
type KnownMember<TName> = { readonly '~types'?: { targets: TName } }
type KnownMembers<TName> = { readonly [name: string]: KnownMember<TName> }
type KnownType<TName> = {
  readonly fields?: KnownMembers<TName> | undefined
  readonly edges?: KnownMembers<TName> | undefined
}

/** The targets of a member that are no types. Names that the compiler does not know are checked at run time. */
type UnknownTarget<TMember, TName> =
  TMember extends KnownMember<infer TTarget>
    ? string extends TTarget
      ? never
      : Exclude<TTarget, TName> & string
    : never

/** The text of an error, or `never` for a member without an error. */
type TargetError<TMember, TMemberName, TName> =
  UnknownTarget<TMember, TName> extends infer TTarget extends string
    ? `no type '${TTarget}' for '${TMemberName & string}'`
    : never

/** The texts of the errors of the fields or the edges of a type. */
type TargetErrors<TType, TKey extends 'fields' | 'edges', TName> = TType extends {
  readonly [K in TKey]: infer TMembers
}
  ? { [N in keyof TMembers]: TargetError<TMembers[N], N, TName> }[keyof TMembers]
  : never

type WithError<TValue, TError> = [TError] extends [never] ? TValue : TError

/** Types with the texts of their errors. */
type ReportedTypes<TTypes, TName> = {
  readonly [T in keyof TTypes]: WithError<
    TTypes[T],
    TargetErrors<TTypes[T], 'fields', TName> | TargetErrors<TTypes[T], 'edges', TName>
  >
}

/** Types, or changes of types, with the text of its error in the place of one that leads to an unknown type. */
export type CheckedTargets<TTypes, TName> = TTypes extends { readonly [type: string]: KnownType<TName> }
  ? TTypes
  : // `infer` hides the texts from inference.
    ReportedTypes<TTypes, TName> extends infer TReported
    ? TReported
    : never

type ReportedCollections<TCollections, TName> = {
  readonly [N in keyof TCollections]: WithError<TCollections[N], TargetError<TCollections[N], N, TName>>
}

/** Collections, with the text of its error in the place of one of an unknown type. */
export type CheckedCollectionTargets<TCollections, TName> =
  TCollections extends KnownMembers<TName>
    ? TCollections
    : ReportedCollections<TCollections, TName> extends infer TReported
      ? TReported
      : never
