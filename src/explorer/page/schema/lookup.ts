import type { ParameterView } from '../../parameter-view.ts'
import type { EdgeView, FieldView, SchemaView, TypeView } from '../../schema-view.ts'

/** A name that is valid at a position of an expression. */
export type MemberView =
  | { readonly kind: 'field'; readonly name: string; readonly view: FieldView }
  | { readonly kind: 'edge'; readonly name: string; readonly view: EdgeView }

/**
 * A position of an expression: the possible types of its objects, and the edge if the objects are entries.
 */
export type ExpressionParent = { readonly types: readonly string[]; readonly edge: EdgeView | undefined }

const createIdField = ({ ids }: SchemaView): FieldView => ({
  name: 'id',
  type: ids === 'digits' ? 'numeric string' : 'string',
  description: 'The id of the node.',
  isDefault: true,
})

/** Returns the type with a name, or undefined if the schema does not have the type. */
export const findType = (schema: SchemaView, name: string): TypeView | undefined =>
  schema.types.find(type => type.name === name)

const toFieldMember = (view: FieldView): MemberView => ({ kind: 'field', name: view.name, view })

const membersOfType = (type: TypeView | undefined): readonly MemberView[] => [
  ...(type?.fields ?? []).map(toFieldMember),
  ...(type?.edges ?? []).map((view): MemberView => ({ kind: 'edge', name: view.name, view })),
]

/**
 * Returns the valid names at a position, each once: `id`, fields of the edge, then fields and edges of its
 * types.
 */
export const membersOf = (schema: SchemaView, { types, edge }: ExpressionParent): readonly MemberView[] => {
  const members = [
    ...(types.length === 0 ? [] : [toFieldMember(createIdField(schema))]),
    ...(edge?.fields ?? []).map(toFieldMember),
    ...types.flatMap(type => membersOfType(findType(schema, type))),
  ]
  return [...new Map(members.toReversed().map(member => [member.name, member])).values()].reverse()
}

/**
 * Returns the names that a request without fields selects at a position: those that the edge names, or the
 * default fields.
 */
export const defaultNamesOf = (schema: SchemaView, parent: ExpressionParent): readonly string[] => {
  const members = membersOf(schema, parent)
  const { defaults } = parent.edge ?? {}
  return members
    .filter(({ kind, name, view }) =>
      defaults === undefined || name === 'id' ? kind === 'field' && view.isDefault : defaults.includes(name),
    )
    .map(({ name }) => name)
}

/** Returns the fields and edges of all types that have a name. */
const findViews = (
  schema: SchemaView,
  types: readonly string[],
  name: string,
): readonly (FieldView | EdgeView)[] =>
  types.flatMap(type => {
    const { fields = [], edges = [] } = findType(schema, type) ?? {}
    return [...fields, ...edges].filter(view => view.name === name)
  })

/** Returns the parent inside the braces of an edge or ref. The parent inside a plain field has no types. */
const findMemberParent = (schema: SchemaView, parent: ExpressionParent, name: string): ExpressionParent => {
  const views = findViews(schema, parent.types, name)
  const edge = views.find((view): view is EdgeView => 'order' in view)
  return { types: [...new Set(views.flatMap(view => view.targets ?? []))], edge }
}

/** Returns the parent at a path of names. */
export const parentAt = (
  schema: SchemaView,
  root: ExpressionParent,
  path: readonly string[],
): ExpressionParent => path.reduce((parent, name) => findMemberParent(schema, parent, name), root)

const uniteParameters = (first: ParameterView, second: ParameterView): ParameterView => {
  if (first.words === undefined || second.words === undefined) return first
  return { ...first, words: [...new Set([...first.words, ...second.words])] }
}

/** Returns the parameters of a field or an edge at a position. If several types have it, returns all. */
export const parametersAt = (
  schema: SchemaView,
  { types, edge }: ExpressionParent,
  name: string,
): readonly ParameterView[] => {
  const edgeFields = (edge?.fields ?? []).filter(view => view.name === name)
  const parametersByName = new Map<string, ParameterView>()
  for (const { parameters = [] } of [...edgeFields, ...findViews(schema, types, name)]) {
    for (const parameter of parameters) {
      const existing = parametersByName.get(parameter.name)
      parametersByName.set(parameter.name, existing ? uniteParameters(existing, parameter) : parameter)
    }
  }
  return [...parametersByName.values()]
}

/** Returns the orders that an edge at a position declares. If several types have the edge, returns all. */
export const ordersAt = (
  schema: SchemaView,
  { types }: ExpressionParent,
  name: string,
): readonly string[] => [
  ...new Set(findViews(schema, types, name).flatMap(view => ('orders' in view ? (view.orders ?? []) : []))),
]

/** Whether braces may follow the name of a member. */
export const hasSubfields = (member: MemberView): boolean =>
  member.kind === 'edge' || member.view.targets !== undefined
