import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import { type EdgeType, isEdge } from './edge.ts'
import { type Field, isField } from './field.ts'
import { isPolicy, type Policy, toPolicy } from './policy.ts'

/** The fields of a type by name. `id` always exists and is not declared. */
export type Fields = { readonly [name: string]: Field }

/** The edges of a type by name. */
export type Edges = { readonly [name: string]: EdgeType }

/** Returns an own property, or `undefined` for an inherited property. */
export const getOwn = <TValue>(
  members: { readonly [name: string]: TValue },
  name: string,
): TValue | undefined => (Object.hasOwn(members, name) ? members[name] : undefined)

/** A declared type of nodes: frozen data, which {@link node} creates. */
export type NodeType<TFields extends Fields = Fields, TEdges extends Edges = Edges> = {
  readonly description: string
  /** Whether the ids of this type's nodes are different for each app, if the graph has `appIds`. */
  readonly appScoped: boolean
  /** The policy of this type's nodes, or `undefined` if everyone may see them. */
  readonly policy: Policy | undefined
  /** The prefix of the named ids of this type's nodes, or `undefined` if it is the name of the type. */
  readonly idPrefix: string | undefined
  readonly fields: TFields
  readonly edges: TEdges
}

/** The definition of a type of nodes: the argument of {@link node}. */
export type NodeDefinition<TFields extends Fields, TEdges extends Edges> = {
  readonly description?: string | undefined
  readonly appScoped?: boolean | undefined
  /**
   * The policy of this type's nodes. A denied node does not exist for the viewer. Default: everyone can see
   * the nodes.
   */
  readonly policy?: Policy | undefined
  /**
   * The prefix of the ids of this type's nodes in a schema with named ids: a name of at most 63 characters. With
   * `idPrefix: 'photo'`, the ids stay as they are if the type `photo` is renamed. Default: the name of the type.
   */
  readonly idPrefix?: string | undefined
  readonly fields?: TFields | undefined
  readonly edges?: TEdges | undefined
}

/**
 * Infers the members from the definition alone, so that a node without edges does not get the type of all
 * allowed edges.
 */
type InferredMembers<TMembers, TAllowed> = TMembers extends infer TGiven extends TAllowed ? TGiven : never

const MEMBER_EXPECTED = {
  fields: 'a field, such as the result of field.string()',
  edges: 'an edge that edge() returns',
}

const freezeMembers = <TMembers, TAllowed>(
  kind: 'fields' | 'edges',
  isMember: (value: unknown) => boolean,
  members: TMembers | undefined,
): InferredMembers<TMembers, TAllowed> => {
  for (const [name, member] of Object.entries(members ?? {})) {
    if (!isMember(member))
      throw usageError('node', `${kind}.${name}`, MEMBER_EXPECTED[kind], describeValue(member))
  }
  return Object.freeze({ ...members }) as InferredMembers<TMembers, TAllowed>
}

/** The options that define or extend a type, and the kind of value of each option. */
export const NODE_OPTION_KINDS = {
  description: 'text',
  appScoped: 'boolean',
  policy: 'any',
  idPrefix: 'text',
  fields: 'object',
  edges: 'object',
} as const satisfies OptionKinds

/**
 * Declares a type of nodes with its fields and edges.
 *
 * @throws TypeError for an unknown option, or a policy that is not an array of rules.
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
): NodeType<InferredMembers<TFields, Fields>, InferredMembers<TEdges, Edges>> => {
  assertObject('node', definition, 'definition')
  assertOptionKinds('node', definition, NODE_OPTION_KINDS)
  return Object.freeze({
    description: definition.description ?? '',
    appScoped: definition.appScoped ?? false,
    policy: toPolicy('node', definition.policy),
    idPrefix: definition.idPrefix,
    fields: freezeMembers<TFields, Fields>('fields', isField, definition.fields),
    edges: freezeMembers<TEdges, Edges>('edges', isEdge, definition.edges),
  })
}

/** Whether a value was created by {@link node}. */
export const isNodeType = (value: unknown): value is NodeType =>
  isNonArrayObject(value) &&
  typeof value.description === 'string' &&
  typeof value.appScoped === 'boolean' &&
  isPolicy(value.policy) &&
  isNonArrayObject(value.fields) &&
  Object.values(value.fields).every(isField) &&
  isNonArrayObject(value.edges) &&
  Object.values(value.edges).every(isEdge)
