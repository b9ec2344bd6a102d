import type { CheckedFields } from '../schema/inference/checked-fields.ts'
import type { FieldsInput } from '../schema/inference/expression.ts'
import type { ParametersOption } from '../schema/inference/parameters.ts'
import type { EdgeNamesOn, EntryParent, RootParent, SourceTypeName } from '../schema/inference/parent.ts'
import type { FieldsResult, PageResult } from '../schema/inference/result.ts'
import type { Schema } from '../schema/schema.ts'

/** The option `fields` of nodes with the given `id` and `type`. */
export type CheckedNodeFields<
  TSchema extends Schema,
  TId,
  TType,
  TFields extends FieldsInput,
> = CheckedFields<TSchema['types'], RootParent<TSchema, TId, TType>, TFields>

/** The result for a node with the given `id` and `type`. */
export type NodeResult<TSchema extends Schema, TId, TType, TFields extends FieldsInput> = FieldsResult<
  TSchema['types'],
  RootParent<TSchema, TId, TType>,
  TFields
>

/** The names of the edges that a node with the given `id` and `type` may have. */
export type SourceEdgeName<TSchema extends Schema, TId, TType> = EdgeNamesOn<
  TSchema['types'],
  SourceTypeName<TSchema, TId, TType>
>

/** The entries of an edge of a node with the given `id` and `type`. */
type CallEntryParent<TSchema extends Schema, TId, TType, TEdge> = EntryParent<
  TSchema['types'],
  SourceTypeName<TSchema, TId, TType>,
  TEdge
>

/** The option `fields` of the entries of an edge. */
export type CheckedEntryFields<
  TSchema extends Schema,
  TId,
  TType,
  TEdge,
  TFields extends FieldsInput,
> = CheckedFields<TSchema['types'], CallEntryParent<TSchema, TId, TType, TEdge>, TFields>

/** The result for an entry of an edge. */
export type EntryResult<
  TSchema extends Schema,
  TId,
  TType,
  TEdge,
  TFields extends FieldsInput,
> = FieldsResult<TSchema['types'], CallEntryParent<TSchema, TId, TType, TEdge>, TFields>

/** The result for a page of an edge. */
export type EdgePage<
  TSchema extends Schema,
  TId,
  TType,
  TEdge,
  TFields extends FieldsInput,
  TSummary,
> = PageResult<
  EntryResult<TSchema, TId, TType, TEdge, TFields>,
  TSummary,
  CallEntryParent<TSchema, TId, TType, TEdge>
>

/** The option `parameters` for an edge of a node with the given `id` and `type`. */
export type CallParameters<TSchema extends Schema, TId, TType, TEdge> = ParametersOption<
  CallEntryParent<TSchema, TId, TType, TEdge>
>

/** The orders that an edge of a node with the given `id` and `type` declares. */
export type CallOrder<TSchema extends Schema, TId, TType, TEdge> = OrderOf<
  CallEntryParent<TSchema, TId, TType, TEdge>
>

type OrderOf<TParent extends { orders: string }> = [TParent] extends [never] ? string : TParent['orders']

/** Makes the option `parameters` required if one of the parameters is required. */
export type RequireParameters<TParameters> = undefined extends TParameters
  ? unknown
  : { readonly parameters: TParameters }
