import type { Selection } from '../execute/call-options.ts'
import type { AnswerTo } from '../schema/inference/answer.ts'
import type { FieldsInput } from '../schema/inference/expression.ts'
import type { Checked } from '../schema/inference/faults.ts'
import type { EdgeNamesOn, EdgePlace, RootPlace, SourceName } from '../schema/inference/place.ts'
import type { Schema } from '../schema/schema.ts'

/** `fields` of nodes found by `id` and `type`. */
export type NodeSelection<TSchema extends Schema, TId, TType, TFields extends FieldsInput> = Selection<
  Checked<TSchema['types'], RootPlace<TSchema, TId, TType>, TFields>
>

/** A node found by `id` and `type`. */
export type NodeFound<TSchema extends Schema, TId, TType, TFields extends FieldsInput> = AnswerTo<
  TSchema['types'],
  RootPlace<TSchema, TId, TType>,
  TFields
>

/** The names of the edges that a node found by `id` and `type` may have. */
export type EdgeNameOf<TSchema extends Schema, TId, TType> = EdgeNamesOn<
  TSchema['types'],
  SourceName<TSchema, TId, TType>
>

/** Where the edge of a node found by `id` and `type` leads. */
type Entries<TSchema extends Schema, TId, TType, TEdge> = EdgePlace<
  TSchema['types'],
  SourceName<TSchema, TId, TType>,
  TEdge
>

/** `fields` of the entries of an edge. */
export type EntrySelection<
  TSchema extends Schema,
  TId,
  TType,
  TEdge,
  TFields extends FieldsInput,
> = Selection<Checked<TSchema['types'], Entries<TSchema, TId, TType, TEdge>, TFields>>

/** An entry of an edge. */
export type EntryFound<TSchema extends Schema, TId, TType, TEdge, TFields extends FieldsInput> = AnswerTo<
  TSchema['types'],
  Entries<TSchema, TId, TType, TEdge>,
  TFields
>
