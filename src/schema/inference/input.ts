import type { Schema, Types } from '../schema.ts'
import type { SocialSchema } from '../social/social-schema.ts'
import type { DeletedEdgeOf, EdgeDataInfo, EdgeDataNames, EdgeFieldsOf, EdgeInputOf } from './edge-input.ts'
import type { TypeInfoOf, TypeName } from './parent.ts'
import type { DateInput, InputOfInfo, WrittenValues } from './written-values.ts'

/** The types of a schema. `any` means any schema. */
type TypesOf<TSchema extends Schema> = 0 extends 1 & TSchema ? Types : TSchema['types']

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

type FieldNamesOn<TTypes extends Types, TType> = TType extends keyof TTypes
  ? keyof TTypes[TType]['fields'] & string
  : never

type PatchValue<TDeclared> = TDeclared extends { input: never }
  ? never
  : InputOfInfo<TDeclared> | (TDeclared extends { required: true } ? never : null)

type PatchValueOn<TTypes extends Types, TType, TName> = TType extends keyof TTypes
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

/**
 * An edge that `graph.write` and `graph.load` accept. `data` contains the values of the edge's own fields.
 * `parameters` chooses the stored list of an edge with several lists.
 */
export type EdgeInput<TSchema extends Schema = SocialSchema> = EdgeInputOf<TypesOf<TSchema>>

/** The condition that a node or an edge does not exist. */
export type AbsentCondition = { readonly exists: false; readonly fields?: never }

/** The values that a condition compares. `null` means that the value must be absent. */
type ComparedValues<TDeclared> = {
  readonly [N in keyof TDeclared as TDeclared[N] extends { input: never } | null ? never : N]?: InputOfInfo<
    TDeclared[N]
  > | null
}

/** The values of fields by name. The fields may belong to any type. */
type ComparedFields<TTypes extends Types> = {
  readonly [N in FieldNamesOn<TTypes, keyof TTypes>]?: PatchValueOn<TTypes, keyof TTypes, N> | null
}

/**
 * The condition that a node exists, and that its fields have these values. `null` means that the value must be
 * absent.
 */
export type NodeCondition<TSchema extends Schema = SocialSchema> =
  | { readonly exists: true; readonly fields?: never }
  | { readonly exists?: never; readonly fields: ComparedFields<TypesOf<TSchema>> }

/**
 * The condition that an edge exists, and that its data has these values. `null` means that the value must be
 * absent.
 */
export type EdgeCondition<TSchema extends Schema = SocialSchema> =
  | { readonly exists: true; readonly fields?: never }
  | {
      readonly exists?: never
      readonly fields: ComparedValues<{
        [N in EdgeDataNames<EdgeFieldsOf<TypesOf<TSchema>>>]: EdgeDataInfo<EdgeFieldsOf<TypesOf<TSchema>>, N>
      }>
    }

/** Whether a value can be a number and nothing else, or anything in an unknown schema. */
type IsNumber<TInput> = unknown extends TInput ? true : [TInput] extends [number] ? true : false

type NumberNames<TTypes extends Types, TType> = TType extends keyof TTypes
  ? {
      [N in keyof TTypes[TType]['fields']]: TypeInfoOf<TTypes[TType]['fields'][N]> extends { input: never }
        ? never
        : IsNumber<InputOfInfo<TypeInfoOf<TTypes[TType]['fields'][N]>>> extends true
          ? N & string
          : never
    }[keyof TTypes[TType]['fields']]
  : never

/** Without names, a type without members would accept any name. */
type ValuesToAdd<TName extends string> = [TName] extends [never]
  ? { readonly [name: string]: never }
  : { readonly [N in TName]?: number }

/** The numbers that a `patchNode` adds to int and float fields. They may belong to any type. */
export type IncrementInput<TSchema extends Schema = SocialSchema> = ValuesToAdd<
  NumberNames<TypesOf<TSchema>, keyof TypesOf<TSchema>>
>

/**
 * A change that `graph.write` accepts. `putNode` writes a whole node. `patchNode` changes only the named
 * fields, and `null` removes a field. `deleteNode` also deletes the edges of the node. The default `time` of
 * an edge is now. If the condition `when` of a mutation does not hold, nothing of the batch is written.
 * `increment` adds numbers to int and float fields. Use `Mutation` for the social schema, and `Mutation<typeof schema>` for any other schema.
 *
 * @example
 * ```ts
 * import { createGraph, type Mutation } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const mutations: Mutation[] = [
 *   { op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } },
 *   { op: 'patchNode', id: '4', fields: { about: 'Wrote the first program.' } },
 * ]
 * await createGraph(createMemoryStore()).write(mutations)
 * ```
 */
export type Mutation<TSchema extends Schema = SocialSchema> =
  | { readonly op: 'putNode'; readonly node: NodeInput<TSchema>; readonly when?: AbsentCondition | undefined }
  | {
      readonly op: 'patchNode'
      readonly id: string
      readonly fields: PatchInput<TSchema>
      readonly increment?: IncrementInput<TSchema> | undefined
      readonly when?: NodeCondition<TSchema> | undefined
    }
  | {
      readonly op: 'patchNode'
      readonly id: string
      readonly fields?: PatchInput<TSchema> | undefined
      readonly increment: IncrementInput<TSchema>
      readonly when?: NodeCondition<TSchema> | undefined
    }
  | { readonly op: 'deleteNode'; readonly id: string; readonly when?: NodeCondition<TSchema> | undefined }
  | {
      readonly op: 'putEdge'
      readonly edge: EdgeInput<TSchema>
      readonly when?: AbsentCondition | EdgeCondition<TSchema> | undefined
    }
  | {
      readonly op: 'deleteEdge'
      readonly edge: DeletedEdgeOf<TypesOf<TSchema>>
      readonly when?: EdgeCondition<TSchema> | undefined
    }

/**
 * A record that `graph.load` accepts. An edge must have a `time`, so that a repeated load writes the same
 * data.
 */
export type LoadRecord<TSchema extends Schema = SocialSchema> =
  | { readonly node: NodeInput<TSchema> }
  | { readonly edge: EdgeInput<TSchema> & { readonly time: DateInput } }
