import type { Draft } from 'immer'
import type { RawId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import type { EdgeInput, NodeInput } from '../schema/inference/input.ts'
import type { TypeName } from '../schema/inference/parent.ts'
import type { Schema } from '../schema/schema.ts'

type NodeValues<TSchema extends Schema, TType extends TypeName<TSchema>> = NodeInput<TSchema, TType>['fields']

/**
 * The fields of a node, to be changed by a recipe. They hold values as `graph.write` accepts them, and no
 * computed fields. Stored values have their stored form: times are integer milliseconds (of a
 * `field.unixtime`, seconds), a birthday is `{ date, show }`, a picture is an array of its sizes, and a ref is
 * an id.
 */
export type NodeDraft<TSchema extends Schema, TType extends TypeName<TSchema>> = {
  -readonly [N in keyof NodeValues<TSchema, TType>]: Draft<NodeValues<TSchema, TType>[N]>
}

/** The names of all edges of a schema. */
export type UpdatedEdgeName<TSchema extends Schema> = EdgeInput<TSchema>['name']

type EdgeValues<TSchema extends Schema, TName extends UpdatedEdgeName<TSchema>> =
  Extract<EdgeInput<TSchema>, { readonly name: TName }> extends infer TEdge
    ? 'data' extends keyof TEdge
      ? Exclude<TEdge[keyof TEdge & 'data'], undefined>
      : Record<never, never>
    : never

/** The parameters that choose a stored list of an edge. */
type ListParameters<TSchema extends Schema, TName extends UpdatedEdgeName<TSchema>> =
  Extract<EdgeInput<TSchema>, { readonly name: TName }> extends infer TEdge
    ? 'parameters' extends keyof TEdge
      ? TEdge[keyof TEdge & 'parameters']
      : Record<never, never>
    : never

/**
 * The data of an edge, to be changed by a recipe. It holds values as `graph.write` accepts them, in their
 * stored form.
 */
export type EdgeDraft<TSchema extends Schema, TName extends UpdatedEdgeName<TSchema>> = {
  -readonly [N in keyof EdgeValues<TSchema, TName>]: Draft<EdgeValues<TSchema, TName>[N]>
}

/**
 * The result of a recipe, which is ignored. A recipe is synchronous: it returns neither a promise nor a
 * generator.
 */
export type RecipeResult =
  // biome-ignore lint/suspicious/noConfusingVoidType: the type of a recipe may say that it returns nothing
  | void
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined
  | (object & { readonly then?: never; readonly next?: never })

/** The options of {@link update}. An interface, so that compile errors show its name. */
export interface UpdateOptions<TSchema extends Schema, TType extends TypeName<TSchema>> {
  /** The type of the node. */
  readonly type: TType
  readonly id: RawId
  /**
   * The fields on which the update depends, together with those that the recipe changes: if another writer
   * changes one of them at the same time, the recipe runs again. Name at least all fields that the recipe reads.
   * Default: all fields of the type.
   */
  readonly fields?: readonly (keyof NodeDraft<TSchema, TType> & string)[] | undefined
  /** Ends the wait for the reads and writes. */
  readonly signal?: AbortSignal | undefined
  /** The session whose data is changed, in a store that reads by session. Other stores do not receive it. */
  readonly session?: Session | undefined
}

/** The options of {@link updateEdge}. An interface, so that compile errors show its name. */
export interface UpdateEdgeOptions<TSchema extends Schema, TName extends UpdatedEdgeName<TSchema>> {
  readonly source: RawId
  /** The name of the edge. */
  readonly name: TName
  readonly target: RawId
  /** The parameters that choose the stored list of the edge. Default: their default values. */
  readonly parameters?: ListParameters<TSchema, TName> | undefined
  /** Ends the wait for the reads and writes. */
  readonly signal?: AbortSignal | undefined
  /** The session whose data is changed, in a store that reads by session. Other stores do not receive it. */
  readonly session?: Session | undefined
}
