import type { EdgeView, FieldView, SchemaView, TypeView } from '../../schema-view.ts'

/** A name that may stand in an expression at some place. */
export type Member =
  | { readonly kind: 'field'; readonly name: string; readonly view: FieldView }
  | { readonly kind: 'edge'; readonly name: string; readonly view: EdgeView }

/** What the items of a list may be: nodes of some types, as entries of an edge where they are. */
export type Place = { readonly types: readonly string[]; readonly edge: EdgeView | undefined }

const ID: FieldView = {
  name: 'id',
  type: 'numeric string',
  description: 'The id of the node.',
  isDefault: true,
}

/** The type of a name; undefined where the schema has none. */
export const typeOf = (schema: SchemaView, name: string): TypeView | undefined =>
  schema.types.find(type => type.name === name)

const fieldMember = (view: FieldView): Member => ({ kind: 'field', name: view.name, view })

const membersOfType = (type: TypeView | undefined): readonly Member[] => [
  ...(type?.fields ?? []).map(fieldMember),
  ...(type?.edges ?? []).map((view): Member => ({ kind: 'edge', name: view.name, view })),
]

/** The names that may stand at a place, each once: `id`, those of the connection, then fields and edges of its types. */
export const membersAt = (schema: SchemaView, { types, edge }: Place): readonly Member[] => {
  const members = [
    ...(types.length === 0 ? [] : [fieldMember(ID)]),
    ...(edge?.fields ?? []).map(fieldMember),
    ...types.flatMap(type => membersOfType(typeOf(schema, type))),
  ]
  return [...new Map(members.toReversed().map(member => [member.name, member])).values()].reverse()
}

/** Where the braces of an edge or ref lead to; nowhere for a plain field. */
const placeOfMember = (schema: SchemaView, place: Place, name: string): Place => {
  const views = place.types.flatMap(type => {
    const { fields = [], edges = [] } = typeOf(schema, type) ?? {}
    return [...fields, ...edges].filter(view => view.name === name)
  })
  const edge = views.find((view): view is EdgeView => 'order' in view)
  return { types: [...new Set(views.flatMap(view => view.targets ?? []))], edge }
}

/** The place that a path of names leads to. */
export const placeAt = (schema: SchemaView, root: Place, path: readonly string[]): Place =>
  path.reduce((place, name) => placeOfMember(schema, place, name), root)

/** Whether braces may follow. */
export const leadsOn = (member: Member): boolean =>
  member.kind === 'edge' || member.view.targets !== undefined
