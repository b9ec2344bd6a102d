import type { EdgeType } from '../../schema/edge.ts'
import type { Schema } from '../../schema/schema.ts'

/** An edge of one type. */
export type HeldEdge = { readonly holder: string; readonly name: string; readonly edge: EdgeType }

/** Every edge of some types, by name: in the order of the schema. */
export const edgesByName = (
  { types }: Schema,
  holders: readonly string[] = Object.keys(types),
): ReadonlyMap<string, readonly HeldEdge[]> => {
  const found = new Map<string, HeldEdge[]>()
  for (const holder of holders) {
    for (const [name, edge] of Object.entries(types[holder]?.edges ?? {})) {
      found.set(name, [...(found.get(name) ?? []), { holder, name, edge }])
    }
  }
  return found
}

/**
 * The component that describes pages of an edge. Edges to the same types share one, except those with fields of their
 * own; no name of a type, a field or an edge has a hyphen or a dot, so that no two are named alike.
 */
export const listName = ({ holder, name, edge }: HeldEdge): string =>
  Object.keys(edge.fields).length === 0 ? `${edge.targets.join('-')}-list` : `${holder}.${name}`
