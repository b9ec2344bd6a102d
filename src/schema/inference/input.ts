import type { RawId } from '../../base/ids.ts'
import type { Schema, Types } from '../schema.ts'
import type { SocialSchema } from '../social/social-schema.ts'
import type { EdgeInputOf } from './edge-input.ts'
import type { TypeInfoOf, TypeName } from './parent.ts'
import type { InputOfInfo, WrittenValues } from './written-values.ts'

/** The types of a schema whose nodes are stored. `any` means any schema. */
export type TypesOf<TSchema extends Schema> = 0 extends 1 & TSchema
  ? Types
  : TSchema['types'] extends { readonly root: unknown }
    ? Omit<TSchema['types'], 'root'>
    : TSchema['types']

/** The values that a write accepts for the fields of a type. */
type FieldsOfType<TTypes extends Types, TType> = TType extends keyof TTypes
  ? WrittenValues<{ [N in keyof TTypes[TType]['fields']]: TypeInfoOf<TTypes[TType]['fields'][N]> }>
  : never

/** A node of one type to write. This is an interface, so that compile errors show its name. */
interface TypedNodeInput<TSchema extends Schema, TType extends string> {
  readonly id: RawId
  readonly type: TType
  readonly fields: FieldsOfType<TypesOf<TSchema>, TType>
}

/**
 * A node that `graph.write` and `graph.load` accept. It has all required fields of its type, and no computed
 * fields. `NodeInput<typeof schema, 'event'>` is a node of one type.
 */
export type NodeInput<
  TSchema extends Schema = SocialSchema,
  TType extends TypeName<TSchema> = Exclude<TypeName<TSchema>, 'root'>,
> = { [T in TType]: TypedNodeInput<TSchema, T> }[TType]

export type FieldNamesOn<TTypes extends Types, TType> = TType extends keyof TTypes
  ? keyof TTypes[TType]['fields'] & string
  : never

type PatchValue<TDeclared> = TDeclared extends { input: never }
  ? never
  : InputOfInfo<TDeclared> | (TDeclared extends { required: true } | { alwaysPresent: true } ? never : null)

export type PatchValueOn<TTypes extends Types, TType, TName> = TType extends keyof TTypes
  ? TName extends keyof TTypes[TType]['fields']
    ? PatchValue<TypeInfoOf<TTypes[TType]['fields'][TName]>>
    : never
  : never

/**
 * The fields of a `patchNode`. They may belong to any type, because a patch does not name the type of its
 * node. `null` removes a value that need not be present.
 */
export type PatchInput<TSchema extends Schema = SocialSchema> = {
  readonly [N in FieldNamesOn<TypesOf<TSchema>, keyof TypesOf<TSchema>>]?:
    | PatchValueOn<TypesOf<TSchema>, keyof TypesOf<TSchema>, N>
    | undefined
}

/**
 * An edge that `graph.write` and `graph.load` accept. `data` contains the values of the edge's own fields.
 * `parameters` chooses the stored list of an edge with several lists.
 */
export type EdgeInput<TSchema extends Schema = SocialSchema> = EdgeInputOf<TypesOf<TSchema>>
