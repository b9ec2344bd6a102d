import type { EdgeType } from '../../schema/edge.ts'
import type { Schema } from '../../schema/schema.ts'

/** An edge of one type. */
export type TypeEdge = { readonly typeName: string; readonly name: string; readonly edge: EdgeType }

/** Groups the edges of some types by name, in the order of the schema. */
export const groupEdgesByName = (
  { types }: Schema,
  typeNames: readonly string[] = Object.keys(types),
): ReadonlyMap<string, readonly TypeEdge[]> => {
  const edgesByName = new Map<string, TypeEdge[]>()
  for (const typeName of typeNames) {
    for (const [name, edge] of Object.entries(types[typeName]?.edges ?? {})) {
      edgesByName.set(name, [...(edgesByName.get(name) ?? []), { typeName, name, edge }])
    }
  }
  return edgesByName
}

/**
 * Returns the name of the component that describes pages of an edge. Edges to the same types share one,
 * except those with their own fields. Names of types, fields and edges contain no hyphens and dots, so
 * component names are unique.
 */
export const formatPageComponentName = ({ typeName, name, edge }: TypeEdge): string =>
  Object.keys(edge.fields).length === 0 ? `${edge.targets.join('-')}-list` : `${typeName}.${name}`
