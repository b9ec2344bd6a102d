import type { IdKind } from '../base/ids.ts'
import type { Version } from '../base/version.ts'
import type { CheckedCollectionTargets, CheckedTargets } from './checked-targets.ts'
import type { EdgeType } from './edge.ts'
import type { Edges, Fields, NodeType } from './node.ts'
import type { Policy } from './policy.ts'

/** The types of a schema by name. */
export type Types = { readonly [type: string]: NodeType }

/** The collections of a schema by name, which `collection` creates. */
export type Collections = { readonly [name: string]: EdgeType }

/** The options of {@link defineSchema}. */
export type SchemaOptions<TViewers extends string = string, TCollections = Collections> = {
  /**
   * The versions that a call may request. The `since` of a field must not be newer than the newest of these
   * versions. Default `['v1.0']`.
   */
  readonly versions?: readonly Version[] | undefined
  /** The types that a viewer may have. Default: all types. */
  readonly viewers?: readonly TViewers[] | undefined
  /**
   * The URL of the default picture, for nodes without a picture. Without this URL, the `picture` of these
   * nodes is left out. In an extension, `undefined` removes the inherited URL.
   */
  readonly defaultPicture?: string | undefined
  /**
   * The lists of all nodes of a type, by name: the edges of the node `root`. The schema gets a type `root`, which
   * has no fields. In an extension, they are added to the inherited collections.
   */
  readonly collections?: TCollections | undefined
  /**
   * The kind of the ids of all nodes: `digits`, such as `42`, or `named`, such as `photo-42`. The store must have
   * this kind. An extension has the kind of its schema. Default `digits`.
   */
  readonly ids?: IdKind | undefined
}

/** The options of {@link Schema.extend}. */
export type ExtensionOptions<TViewers extends string = string, TCollections = Collections> = Omit<
  SchemaOptions<TViewers, TCollections>,
  'ids'
>

type CollectionsIn<TTypes> = TTypes extends { readonly root: { readonly edges: infer TEdges } }
  ? TEdges
  : Record<never, never>

/** The types of a schema with the type of the node whose edges are the collections. */
export type WithCollections<TTypes extends Types, TCollections extends Collections> = [
  keyof TCollections,
] extends [never]
  ? TTypes
  : {
      readonly [N in keyof TTypes | 'root']: N extends 'root'
        ? NodeType<Record<never, never>, Extract<Override<CollectionsIn<TTypes>, TCollections>, Edges>>
        : N extends keyof TTypes
          ? TTypes[N]
          : never
    }

/** The changes to an existing type in {@link Schema.extend}. Everything else is inherited. */
export type NodeExtension = {
  readonly description?: string | undefined
  readonly appScoped?: boolean | undefined
  /** Replaces the whole policy. `null` removes it, so that everyone may see the nodes. */
  readonly policy?: Policy | null | undefined
  readonly idPrefix?: string | undefined
  readonly fields?: Fields | undefined
  readonly edges?: Edges | undefined
}

type ExtendedMembers<TChange, TKey extends 'fields' | 'edges'> = TChange extends {
  readonly [K in TKey]: infer TMembers
}
  ? TMembers
  : Record<never, never>

type Override<TOld, TNew> = {
  readonly [N in keyof TOld | keyof TNew]: N extends keyof TNew
    ? TNew[N]
    : N extends keyof TOld
      ? TOld[N]
      : never
}

/** Requires `node` for new types, so that a misspelled name does not create one. */
export type RequireNodeForNewTypes<TTypes extends Types, TExtensions> = string extends keyof TExtensions
  ? unknown
  : {
      readonly [N in Exclude<keyof TExtensions, keyof TTypes> as TExtensions[N] extends NodeType
        ? never
        : N]: NodeType
    }

/** One type after an extension. */
export type ExtendedNode<TNode, TExtension> = NodeType<
  Extract<Override<ExtendedMembers<TNode, 'fields'>, ExtendedMembers<TExtension, 'fields'>>, Fields>,
  Extract<Override<ExtendedMembers<TNode, 'edges'>, ExtendedMembers<TExtension, 'edges'>>, Edges>
>

/** The types of a schema after an extension. */
export type ExtendedTypes<TTypes extends Types, TExtensions> = {
  readonly [N in (keyof TTypes | keyof TExtensions) & string]: N extends keyof TExtensions
    ? ExtendedNode<N extends keyof TTypes ? TTypes[N] : undefined, TExtensions[N]>
    : N extends keyof TTypes
      ? TTypes[N]
      : never
}

/** A checked schema: frozen data, which {@link defineSchema} creates. */
export type Schema<TTypes extends Types = Types, TViewers extends string = string> = {
  readonly types: TTypes
  /** The versions, in ascending order. */
  readonly versions: readonly Version[]
  readonly viewers: readonly TViewers[]
  /** The kind of the ids of all nodes. */
  readonly ids: IdKind
  readonly defaultPicture: string | undefined
  /**
   * Returns a schema with more types, fields and edges. `node` creates a new type; an object with changes
   * extends an existing one. A member of an extension replaces the member with the same name, and a policy
   * replaces the whole policy. The policy `null` removes it. Everything else is inherited. The result is
   * checked as in `defineSchema`.
   *
   * @throws TypeError for changes to an unknown type, for a `node` in place of changes to an existing type,
   * or for an invalid schema. The message contains all errors of the schema.
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
    const TExtensions extends { readonly [type: string]: NodeExtension },
    const TNewViewers extends string = TViewers,
    const TCollections extends Collections = Record<never, never>,
  >(
    extensions: CheckedTargets<TExtensions, keyof TTypes | keyof TExtensions> &
      RequireNodeForNewTypes<TTypes, TExtensions>,
    options?: ExtensionOptions<
      TNewViewers,
      CheckedCollectionTargets<TCollections, keyof TTypes | keyof TExtensions>
    >,
  ): Schema<WithCollections<ExtendedTypes<TTypes, TExtensions>, TCollections>, TNewViewers>
}

/**
 * The constraint of type parameters that accept every schema. The compiler does not compare the types of a schema with
 * it, which would take most of its time for a schema of hundreds of types.
 */
export type AnySchema = {
  // biome-ignore lint/suspicious/noExplicitAny: `Types` would make the compiler examine each field of each type
  readonly [K in keyof Schema]: K extends 'types' | 'extend' ? any : Schema[K]
}
