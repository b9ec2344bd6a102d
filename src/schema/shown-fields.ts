import type { Field } from './field.ts'
import { type Fields, getOwn, type NodeType } from './node.ts'

/** Returns the field of the viewer's own edge that a field returns, or `undefined` for any other field. */
export const viewerEdgeFieldOf = ({ edges }: NodeType, field: Field): Field | undefined =>
  field.kind === 'viewerEdge' && field.field !== undefined
    ? getOwn(getOwn(edges, field.edge)?.fields ?? {}, field.field)
    : undefined

const toShownField = (type: NodeType, field: Field): Field => {
  const edgeField = viewerEdgeFieldOf(type, field)
  if (edgeField === undefined) return field
  const { description, default: isDefault, required, scope, policy, since, removedIn, deprecated } = field
  const common = { description, default: isDefault, required, scope, policy, since, removedIn, deprecated }
  return { ...edgeField, ...common }
}

/**
 * Returns the fields of a type, as results show them: a field that returns a field of the viewer's own edge has the
 * kind and the type of that field.
 */
export const shownFieldsOf = (type: NodeType): Fields =>
  Object.fromEntries(Object.entries(type.fields).map(([name, field]) => [name, toShownField(type, field)]))
