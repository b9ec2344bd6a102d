import type { RawId } from '../../base/ids.ts'
import type { Types } from '../schema.ts'
import type { EdgeNamesOn, EntryParent, TypeInfoOf } from './parent.ts'
import type { Simplify } from './simplify.ts'
import type { DateInput, InputOfInfo, WrittenValues } from './written-values.ts'

/** The names of all edges of a schema. */
type EdgeName<TTypes extends Types> = EdgeNamesOn<TTypes, keyof TTypes & string>

/** The edges with a name. */
type EdgesNamed<TTypes extends Types, TName> = EntryParent<TTypes, keyof TTypes & string, TName>

/** The names of the fields of edges. */
export type EdgeDataNames<TFields> = TFields extends unknown ? keyof TFields & string : never

/** The type information of a field of edges. It includes `null` if one of the edges does not have the field. */
export type EdgeDataInfo<TFields, TName> = TFields extends unknown
  ? TName extends keyof TFields
    ? TypeInfoOf<TFields[TName]>
    : null
  : never

/** The data of an edge: the values of the fields that the edges with its name declare. */
type EdgeData<TFields> = WrittenValues<{ [N in EdgeDataNames<TFields>]: EdgeDataInfo<TFields, N> }>

type WithEdgeData<TData> =
  Record<never, never> extends TData
    ? [keyof TData] extends [never]
      ? unknown
      : { readonly data?: TData | undefined }
    : { readonly data: TData }

/** The input of a parameter that can choose a list, whose values are words or truth values, or `never`. */
type ChoosingInput<TInput> = unknown extends TInput
  ? TInput
  : [TInput] extends [string | boolean]
    ? string extends TInput
      ? never
      : TInput
    : never

type ChoosingInputOf<TParameters, TName> = TParameters extends unknown
  ? TName extends keyof TParameters
    ? ChoosingInput<InputOfInfo<TypeInfoOf<TParameters[TName]>>>
    : never
  : never

type ChoosingName<TParameters> = TParameters extends unknown
  ? {
      [N in keyof TParameters]: [ChoosingInputOf<TParameters, N>] extends [never] ? never : N & string
    }[keyof TParameters]
  : never

/** The values that choose the list of a written edge, from the parameters of all edges with its name. */
type ListChoice<TParameters> = Simplify<{
  readonly [N in ChoosingName<TParameters>]?: ChoosingInputOf<TParameters, N> | undefined
}>

type WithListChoice<TParameters> = [ChoosingName<TParameters>] extends [never]
  ? unknown
  : {
      /** The values of the parameters that choose the stored list. Default: the default of each parameter. */
      readonly parameters?: ListChoice<TParameters> | undefined
    }

/** The key of an edge: there is at most one edge for each source, name and target. */
type EdgeKeyInput<TName extends string> = {
  readonly source: RawId
  readonly name: TName
  readonly target: RawId
}

/** An edge that a write accepts, of any name. */
export type EdgeInputOf<TTypes extends Types> = {
  [N in EdgeName<TTypes>]: Simplify<
    EdgeKeyInput<N> & {
      /** Default: now. */
      readonly time?: DateInput | undefined
    } & WithEdgeData<EdgeData<EdgesNamed<TTypes, N>['fields']>> &
      WithListChoice<EdgesNamed<TTypes, N>['parameters']>
  >
}[EdgeName<TTypes>]

/** The names of the edges with parameters that can choose a list. */
type ListedEdgeName<TTypes extends Types> = {
  [N in EdgeName<TTypes>]: [ChoosingName<EdgesNamed<TTypes, N>['parameters']>] extends [never] ? never : N
}[EdgeName<TTypes>]

/**
 * The key of an edge to delete. The first member has all names, so that a name from a variable is accepted,
 * however many names the schema has.
 */
export type DeletedEdgeOf<TTypes extends Types> =
  | EdgeKeyInput<EdgeName<TTypes>>
  | {
      [N in ListedEdgeName<TTypes>]: Simplify<
        EdgeKeyInput<N> & WithListChoice<EdgesNamed<TTypes, N>['parameters']>
      >
    }[ListedEdgeName<TTypes>]

/** The fields of all edges of a schema. */
export type EdgeFieldsOf<TTypes extends Types> = {
  [N in EdgeName<TTypes>]: EdgesNamed<TTypes, N>['fields']
}[EdgeName<TTypes>]
