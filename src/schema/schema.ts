import type { Version } from '../base/version.ts'
import type { Edges, Fields, NodeType } from './node.ts'
import type { Policy } from './policy.ts'

/** The types of a schema by name. */
export type Types = { readonly [type: string]: NodeType }

/** What {@link defineSchema} takes beside the types. */
export type SchemaOptions<TViewers extends string = string> = {
  /** The versions that a call may ask for; no field may come in `since` a newer one. Default `['v1.0']`. */
  readonly versions?: readonly Version[] | undefined
  /** The types that a token may stand for. Default: all. */
  readonly viewers?: readonly TViewers[] | undefined
  /**
   * The URL of the picture for those who have none; without one their `picture` is left out. The one thing that an
   * extension takes away by `undefined`.
   */
  readonly silhouette?: string | undefined
}

/** What {@link Schema.extend} changes of a type that is there: what is not named is inherited. */
export type NodeChanges = {
  readonly description?: string | undefined
  readonly appScoped?: boolean | undefined
  /** Takes the place of the whole policy before. */
  readonly policy?: Policy | undefined
  readonly fields?: Fields | undefined
  readonly edges?: Edges | undefined
}

type MembersOf<TChange, TKey extends 'fields' | 'edges'> = TChange extends {
  readonly [K in TKey]: infer TMembers
}
  ? TMembers
  : Record<never, never>

type Replaced<TOld, TNew> = {
  readonly [N in keyof TOld | keyof TNew]: N extends keyof TNew
    ? TNew[N]
    : N extends keyof TOld
      ? TOld[N]
      : never
}

/** What a new type must be: made by `node`, so that a misspelt one is not taken for it. */
export type NewTypes<TTypes extends Types, TChanges> = string extends keyof TChanges
  ? unknown
  : { readonly [N in Exclude<keyof TChanges, keyof TTypes>]: NodeType }

/** One type after a change; of a new one, all there is. */
export type ChangedNode<TNode, TChange> = NodeType<
  Extract<Replaced<MembersOf<TNode, 'fields'>, MembersOf<TChange, 'fields'>>, Fields>,
  Extract<Replaced<MembersOf<TNode, 'edges'>, MembersOf<TChange, 'edges'>>, Edges>
>

/** The types of a schema after changes to some and with new ones. */
export type ChangedTypes<TTypes extends Types, TChanges> = {
  readonly [N in (keyof TTypes | keyof TChanges) & string]: N extends keyof TChanges
    ? ChangedNode<N extends keyof TTypes ? TTypes[N] : undefined, TChanges[N]>
    : N extends keyof TTypes
      ? TTypes[N]
      : never
}

/** A checked schema: frozen data, made by {@link defineSchema}. */
export type Schema<TTypes extends Types = Types, TViewers extends string = string> = {
  readonly types: TTypes
  /** Ascending. */
  readonly versions: readonly Version[]
  readonly viewers: readonly TViewers[]
  readonly silhouette: string | undefined
  /**
   * Answers a schema with more types, fields and edges. A new type is made by `node`; of one that is there the changes
   * are given. What is given again is replaced, a policy as a whole; the rest is inherited, and the whole is checked as
   * `defineSchema` does.
   *
   * @throws TypeError for changes of a type that is not there, for a `node` in the place of one that is, and with every
   * fault of the schema.
   * @example
   * ```ts
   * import { field, node, socialSchema } from 'kithgraph'
   *
   * const schema = socialSchema.extend({
   *   photo: { fields: { camera: field.string({ description: 'What it was taken with.' }) } },
   *   shop: node({ fields: { name: field.string({ default: true, required: true }) } }),
   * })
   * console.log(Object.keys(schema.types).includes('shop')) // true
   * ```
   */
  extend<
    const TChanges extends { readonly [type: string]: NodeChanges },
    const TNewViewers extends string = TViewers,
  >(
    changes: TChanges & NewTypes<TTypes, TChanges>,
    options?: SchemaOptions<TNewViewers>,
  ): Schema<ChangedTypes<TTypes, TChanges>, TNewViewers>
}
