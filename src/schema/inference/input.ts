import type { Types } from '../schema.ts'
import type { Merged } from './merged.ts'
import type { EdgeNamesOn, EdgePlace, TypesIn } from './place.ts'

/** A time as callers write it: integer milliseconds, a `Date`, or ISO 8601. */
export type DateInput = number | string | Date

/** What a write may do with a value: null stands for a type or an edge that has no such field. */
type Standing<TDeclared> = [TDeclared] extends [{ input: never } | null]
  ? 'computed'
  : [TDeclared] extends [{ required: true }]
    ? 'required'
    : 'optional'

type InputIn<TDeclared> = TDeclared extends { input: infer TInput } ? TInput : never

/** Values as a write gives them, of names with what they mean. */
type ValuesOf<TDeclared> = Merged<
  {
    readonly [N in keyof TDeclared as Standing<TDeclared[N]> extends 'required' ? N : never]: InputIn<
      TDeclared[N]
    >
  } & {
    readonly [N in keyof TDeclared as Standing<TDeclared[N]> extends 'optional' ? N : never]?:
      | InputIn<TDeclared[N]>
      | undefined
  }
>

/** A node as it is written: what is required must be there, what is computed must not. */
export type NodeInput<TTypes extends Types> = {
  [T in keyof TTypes & string]: {
    readonly id: string
    readonly type: T
    readonly fields: ValuesOf<{ [N in keyof TTypes[T]['fields']]: TypesIn<TTypes[T]['fields'][N]> }>
  }
}[keyof TTypes & string]

type FieldNamesOn<TTypes extends Types, TType> = TType extends keyof TTypes
  ? keyof TTypes[TType]['fields'] & string
  : never

type ChangeIn<TDeclared> = TDeclared extends { input: never }
  ? never
  : InputIn<TDeclared> | (TDeclared extends { required: true } ? never : null)

type ChangeOn<TTypes extends Types, TType, TName> = TType extends keyof TTypes
  ? TName extends keyof TTypes[TType]['fields']
    ? ChangeIn<TypesIn<TTypes[TType]['fields'][TName]>>
    : never
  : never

/**
 * Changes to the fields of a node of any type, since a patch does not say of which: null removes a value that is not
 * required.
 */
export type ChangesInput<TTypes extends Types> = {
  readonly [N in FieldNamesOn<TTypes, keyof TTypes>]?: ChangeOn<TTypes, keyof TTypes, N> | undefined
}

type DataNames<TFields> = TFields extends unknown ? keyof TFields & string : never
type DataIn<TFields, TName> = TFields extends unknown
  ? TName extends keyof TFields
    ? TypesIn<TFields[TName]>
    : null
  : never

/** What all edges of one name have for fields of their own. */
type DataOf<TFields> = ValuesOf<{ [N in DataNames<TFields>]: DataIn<TFields, N> }>

type WithData<TData> =
  Record<never, never> extends TData
    ? [keyof TData] extends [never]
      ? unknown
      : { readonly data?: TData | undefined }
    : { readonly data: TData }

/** The names of all edges of a schema. */
export type EdgeName<TTypes extends Types> = EdgeNamesOn<TTypes, keyof TTypes & string>

/** Which edge: there is one for each source, name and target. */
export type EdgeKeyInput<TName extends string> = {
  readonly source: string
  readonly name: TName
  readonly target: string
}

/** An edge as it is written, with the values of its own fields, where it has any that are stored. */
export type EdgeInput<TTypes extends Types> = {
  [N in EdgeName<TTypes>]: Merged<
    EdgeKeyInput<N> & {
      /** Default: now. */
      readonly time?: DateInput | undefined
    } & WithData<DataOf<EdgePlace<TTypes, keyof TTypes & string, N>['fields']>>
  >
}[EdgeName<TTypes>]

/** One change. */
export type MutationInput<TTypes extends Types> =
  | { readonly op: 'putNode'; readonly node: NodeInput<TTypes> }
  | { readonly op: 'patchNode'; readonly id: string; readonly fields: ChangesInput<TTypes> }
  | { readonly op: 'deleteNode'; readonly id: string }
  | { readonly op: 'putEdge'; readonly edge: EdgeInput<TTypes> }
  | { readonly op: 'deleteEdge'; readonly edge: EdgeKeyInput<EdgeName<TTypes>> }

/** One record of a load: an edge says its time, since a load that is run again must write the same. */
export type RecordInput<TTypes extends Types> =
  | { readonly node: NodeInput<TTypes> }
  | { readonly edge: EdgeInput<TTypes> & { readonly time: DateInput } }
