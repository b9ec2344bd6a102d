import type { Schema, Types } from '../schema.ts'
import type { SocialSchema } from '../social/social-schema.ts'
import type { EdgeNamesOn, EntryParent, TypeInfoOf, TypeName } from './parent.ts'
import type { Simplify } from './simplify.ts'

/** A time in a write: integer milliseconds, a `Date`, or ISO 8601. */
export type DateInput = number | string | Date

/**
 * Whether a write must, may or cannot contain a value. `null` means that a type or an edge does not have the
 * field.
 */
type WriteRequirement<TDeclared> = [TDeclared] extends [{ input: never } | null]
  ? 'computed'
  : [TDeclared] extends [{ required: true }]
    ? 'required'
    : 'optional'

export type InputOfInfo<TDeclared> = TDeclared extends { input: infer TInput } ? TInput : never

/** The values of a write by name. `TDeclared` is the type information by name. */
type WrittenValues<TDeclared> = Simplify<
  {
    readonly [N in keyof TDeclared as WriteRequirement<TDeclared[N]> extends 'required'
      ? N
      : never]: InputOfInfo<TDeclared[N]>
  } & {
    readonly [N in keyof TDeclared as WriteRequirement<TDeclared[N]> extends 'optional' ? N : never]?:
      | InputOfInfo<TDeclared[N]>
      | undefined
  }
>

/** The types of a schema. `any` means any schema. */
export type TypesOf<TSchema extends Schema> = 0 extends 1 & TSchema ? Types : TSchema['types']

/** The values that a write accepts for the fields of a type. */
type FieldsOfType<TTypes extends Types, TType> = TType extends keyof TTypes
  ? WrittenValues<{ [N in keyof TTypes[TType]['fields']]: TypeInfoOf<TTypes[TType]['fields'][N]> }>
  : never

/** A node of one type to write. This is an interface, so that compile errors show its name. */
interface TypedNodeInput<TSchema extends Schema, TType extends string> {
  readonly id: string
  readonly type: TType
  readonly fields: FieldsOfType<TypesOf<TSchema>, TType>
}

/**
 * A node that `graph.write` and `graph.load` accept. It has all required fields of its type, and no computed
 * fields. `NodeInput<typeof schema, 'event'>` is a node of one type.
 */
export type NodeInput<
  TSchema extends Schema = SocialSchema,
  TType extends TypeName<TSchema> = TypeName<TSchema>,
> = { [T in TType]: TypedNodeInput<TSchema, T> }[TType]

export type FieldNamesOn<TTypes extends Types, TType> = TType extends keyof TTypes
  ? keyof TTypes[TType]['fields'] & string
  : never

type PatchValue<TDeclared> = TDeclared extends { input: never }
  ? never
  : InputOfInfo<TDeclared> | (TDeclared extends { required: true } ? never : null)

export type PatchValueOn<TTypes extends Types, TType, TName> = TType extends keyof TTypes
  ? TName extends keyof TTypes[TType]['fields']
    ? PatchValue<TypeInfoOf<TTypes[TType]['fields'][TName]>>
    : never
  : never

/**
 * The fields of a `patchNode`. They may belong to any type, because a patch does not name the type of its
 * node. `null` removes a value that is not required.
 */
export type PatchInput<TSchema extends Schema = SocialSchema> = {
  readonly [N in FieldNamesOn<TypesOf<TSchema>, keyof TypesOf<TSchema>>]?:
    | PatchValueOn<TypesOf<TSchema>, keyof TypesOf<TSchema>, N>
    | undefined
}

export type EdgeDataNames<TFields> = TFields extends unknown ? keyof TFields & string : never
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

/** The names of all edges of a schema. */
export type EdgeName<TTypes extends Types> = EdgeNamesOn<TTypes, keyof TTypes & string>

/** The key of an edge: there is at most one edge for each source, name and target. */
export type EdgeKeyInput<TName extends string> = {
  readonly source: string
  readonly name: TName
  readonly target: string
}

type EdgeInputOf<TTypes extends Types> = {
  [N in EdgeName<TTypes>]: Simplify<
    EdgeKeyInput<N> & {
      /** Default: now. */
      readonly time?: DateInput | undefined
    } & WithEdgeData<EdgeData<EntryParent<TTypes, keyof TTypes & string, N>['fields']>>
  >
}[EdgeName<TTypes>]

/**
 * An edge that `graph.write` and `graph.load` accept. `data` contains the values of the edge's own fields.
 */
export type EdgeInput<TSchema extends Schema = SocialSchema> = EdgeInputOf<TypesOf<TSchema>>
