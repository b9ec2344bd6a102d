import type { RawId } from '../../base/ids.ts'
import type { Schema, Types } from '../schema.ts'
import type { SocialSchema } from '../social/social-schema.ts'
import type { DeletedEdgeOf, EdgeDataInfo, EdgeDataNames, EdgeFieldsOf } from './edge-input.ts'
import type { EdgeInput, FieldNamesOn, NodeInput, PatchInput, PatchValueOn, TypesOf } from './input.ts'
import type { TypeInfoOf } from './parent.ts'
import type { DateInput, InputOfInfo } from './written-values.ts'

/** The condition that a node or an edge does not exist. */
export type AbsentCondition = {
  /** The node or edge must not exist. */
  readonly exists: false
  readonly fields?: never
}

/** The condition that a node or an edge exists. */
type PresentCondition = {
  /** The node or edge must exist. */
  readonly exists: true
  readonly fields?: never
}

/** The condition that a node or an edge exists with certain values. */
type ValuesCondition<TValues> = {
  readonly exists?: never
  /**
   * The values that the node or the data of the edge must have, in any form that a write accepts. `null` means
   * that the value must be absent. Other values do not matter.
   */
  readonly fields: TValues
}

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
  | PresentCondition
  | ValuesCondition<ComparedFields<TypesOf<TSchema>>>

/**
 * The condition that an edge exists, and that its data has these values. `null` means that the value must be
 * absent.
 */
export type EdgeCondition<TSchema extends Schema = SocialSchema> =
  | PresentCondition
  | ValuesCondition<
      ComparedValues<{
        [N in EdgeDataNames<EdgeFieldsOf<TypesOf<TSchema>>>]: EdgeDataInfo<EdgeFieldsOf<TypesOf<TSchema>>, N>
      }>
    >

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
 * `increment` adds numbers to int and float fields. Use `Mutation` for the social schema, and
 * `Mutation<typeof schema>` for any other schema.
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
  | {
      readonly op: 'putNode'
      readonly node: NodeInput<TSchema>
      /** The condition of the mutation. If it does not hold, nothing of the batch is written. */
      readonly when?: AbsentCondition | undefined
    }
  | {
      readonly op: 'patchNode'
      readonly id: RawId
      /** The new values of fields. `null` removes a value. */
      readonly fields: PatchInput<TSchema>
      /** The numbers to add to fields that `fields` does not name. A missing value counts as 0. */
      readonly increment?: IncrementInput<TSchema> | undefined
      /** The condition of the mutation. If it does not hold, nothing of the batch is written. */
      readonly when?: NodeCondition<TSchema> | undefined
    }
  | {
      readonly op: 'patchNode'
      readonly id: RawId
      /** The new values of fields. `null` removes a value. */
      readonly fields?: PatchInput<TSchema> | undefined
      /** The numbers to add to fields that `fields` does not name. A missing value counts as 0. */
      readonly increment: IncrementInput<TSchema>
      /** The condition of the mutation. If it does not hold, nothing of the batch is written. */
      readonly when?: NodeCondition<TSchema> | undefined
    }
  | {
      readonly op: 'deleteNode'
      readonly id: RawId
      /** The condition of the mutation. If it does not hold, nothing of the batch is written. */
      readonly when?: NodeCondition<TSchema> | undefined
    }
  | {
      readonly op: 'putEdge'
      readonly edge: EdgeInput<TSchema>
      /** The condition of the mutation. If it does not hold, nothing of the batch is written. */
      readonly when?: AbsentCondition | EdgeCondition<TSchema> | undefined
    }
  | {
      readonly op: 'deleteEdge'
      readonly edge: DeletedEdgeOf<TypesOf<TSchema>>
      /** The condition of the mutation. If it does not hold, nothing of the batch is written. */
      readonly when?: EdgeCondition<TSchema> | undefined
    }

/**
 * A record that `graph.load` accepts. An edge must have a `time`, so that a repeated load writes the same
 * data.
 */
export type LoadRecord<TSchema extends Schema = SocialSchema> =
  | { readonly node: NodeInput<TSchema> }
  | { readonly edge: EdgeInput<TSchema> & { readonly time: DateInput } }
