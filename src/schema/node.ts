import { describe } from '../base/describe.ts'
import { isPlainObject } from '../base/json.ts'
import { assertKinds, assertObject, type OptionKinds } from '../base/options.ts'
import { type EdgeType, isEdge } from './edge.ts'
import { type Field, isField } from './field.ts'
import { isPolicy, type Policy, policyOf } from './policy.ts'

/** The fields of a type by name. `id` is always there and is not declared. */
export type Fields = { readonly [name: string]: Field }

/** The edges of a type by name. */
export type Edges = { readonly [name: string]: EdgeType }

/** A declared type of node: frozen data, made by {@link node}. */
export type NodeType<TFields extends Fields = Fields, TEdges extends Edges = Edges> = {
  readonly description: string
  /** Whether its ids differ from app to app, where the graph has app-scoped ids at all. */
  readonly appScoped: boolean
  /** Who may see which of its nodes; undefined: everyone sees all. */
  readonly policy: Policy | undefined
  readonly fields: TFields
  readonly edges: TEdges
}

/** What {@link node} takes. */
export type NodeDefinition<TFields extends Fields, TEdges extends Edges> = {
  readonly description?: string | undefined
  readonly appScoped?: boolean | undefined
  /** Who may see which node of the type: to others it is as if it did not exist. Without a policy, everyone sees all. */
  readonly policy?: Policy | undefined
  readonly fields?: TFields | undefined
  readonly edges?: TEdges | undefined
}

/** Inferred anew, so that a node without edges does not take on all that the schema around it would allow. */
type Given<TMembers, TAllowed> = TMembers extends infer TGiven extends TAllowed ? TGiven : never

const freezeMembers = <TMembers, TAllowed>(
  maker: string,
  isMember: (value: unknown) => boolean,
  members: TMembers | undefined,
): Given<TMembers, TAllowed> => {
  for (const [name, member] of Object.entries(members ?? {})) {
    if (!isMember(member))
      throw new TypeError(`node: ${name} must be made by ${maker}, came ${describe(member)}`)
  }
  return Object.freeze({ ...members }) as Given<TMembers, TAllowed>
}

/** What a definition and a change of a type may say. */
export const NODE_OPTIONS = {
  description: 'text',
  appScoped: 'boolean',
  policy: 'any',
  fields: 'object',
  edges: 'object',
} as const satisfies OptionKinds

/**
 * Declares a type of node with its fields and edges.
 *
 * @throws TypeError for an unknown option, or a policy that is no list of rules.
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
  assertObject('node', definition)
  assertKinds('node', definition, NODE_OPTIONS)
  return Object.freeze({
    description: definition.description ?? '',
    appScoped: definition.appScoped ?? false,
    policy: policyOf('node', definition.policy),
    fields: freezeMembers<TFields, Fields>('field', isField, definition.fields),
    edges: freezeMembers<TEdges, Edges>('edge', isEdge, definition.edges),
  })
}

/** Whether a value is a type that {@link node} made. */
export const isNodeType = (value: unknown): value is NodeType =>
  isPlainObject(value) &&
  typeof value.description === 'string' &&
  typeof value.appScoped === 'boolean' &&
  isPolicy(value.policy) &&
  isPlainObject(value.fields) &&
  Object.values(value.fields).every(isField) &&
  isPlainObject(value.edges) &&
  Object.values(value.edges).every(isEdge)
