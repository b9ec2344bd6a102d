import { describe } from '../base/describe.ts'
import { isPlainObject } from '../base/json.ts'
import { assertOptions } from '../base/options.ts'
import type { EdgeType } from './edge.ts'
import type { Field } from './field.ts'

/** The fields of a type by name. `id` is always there and is not declared. */
export type Fields = { readonly [name: string]: Field }

/** The edges of a type by name. */
export type Edges = { readonly [name: string]: EdgeType }

/** A declared type of node: frozen data, made by {@link node}. */
export type NodeType<TFields extends Fields = Fields, TEdges extends Edges = Edges> = {
  readonly description: string
  /** Whether its ids differ from app to app, where the graph has app-scoped ids at all. */
  readonly appScoped: boolean
  readonly fields: TFields
  readonly edges: TEdges
}

/** What {@link node} takes. */
export type NodeDefinition<TFields extends Fields, TEdges extends Edges> = {
  readonly description?: string | undefined
  readonly appScoped?: boolean | undefined
  readonly fields?: TFields | undefined
  readonly edges?: TEdges | undefined
}

/** Inferred anew, so that a node without edges does not take on all that the schema around it would allow. */
type Given<TMembers, TAllowed> = TMembers extends infer TGiven extends TAllowed ? TGiven : never

const freezeMembers = <TMembers, TAllowed>(
  place: string,
  members: TMembers | undefined,
): Given<TMembers, TAllowed> => {
  if (members !== undefined && !isPlainObject(members)) {
    throw new TypeError(`node: ${place} must be an object, came ${describe(members)}`)
  }
  return Object.freeze({ ...members }) as Given<TMembers, TAllowed>
}

/**
 * Declares a type of node with its fields and edges.
 *
 * @throws TypeError for an unknown option.
 * @example
 * ```ts
 * import { edge, field, node } from 'kithgraph'
 *
 * const shelf = node({
 *   description: 'A shelf of the library.',
 *   fields: { label: field.string({ default: true, required: true }) },
 *   edges: { books: edge('book') },
 * })
 * console.log(shelf.description) // A shelf of the library.
 * ```
 */
export const node = <
  const TFields extends Fields = Record<never, never>,
  const TEdges extends Edges = Record<never, never>,
>(
  definition: NodeDefinition<TFields, TEdges>,
): NodeType<Given<TFields, Fields>, Given<TEdges, Edges>> => {
  assertOptions('node', definition, ['description', 'appScoped', 'fields', 'edges'])
  return Object.freeze({
    description: definition.description ?? '',
    appScoped: definition.appScoped ?? false,
    fields: freezeMembers<TFields, Fields>('fields', definition.fields),
    edges: freezeMembers<TEdges, Edges>('edges', definition.edges),
  })
}
