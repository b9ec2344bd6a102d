import type { EdgeType } from './edge.ts'
import { getOwn, type NodeType } from './node.ts'
import type { Types } from './schema.ts'
import { storedListOf } from './stored-lists.ts'

/** An edge with its name. */
export type NamedEdge = { readonly name: string; readonly edge: EdgeType }

/** Returns the names of the stored lists of an edge. A computed edge has none. */
export const listNamesOf = ({ name, edge }: NamedEdge): readonly string[] => {
  if (edge.resolve !== undefined) return []
  return edge.lists === undefined ? [name] : [...new Set(edge.lists.names.values())]
}

/**
 * Returns the name of the list for the default values of the parameters, or `undefined` if the list depends on
 * a required parameter.
 */
export const defaultListOf = ({ name, edge }: NamedEdge): string | undefined => {
  const { lists, parameters } = edge
  if (lists === undefined) return name
  if (lists.parameters.some(parameterName => parameters[parameterName]?.required)) return undefined
  const defaults = lists.parameters.map(
    parameterName => [parameterName, parameters[parameterName]?.default] as const,
  )
  return storedListOf(edge, name, Object.fromEntries(defaults))
}

/** Returns the edge of a type that has a stored list, or `undefined` if the name is not a list of the type. */
export const findEdgeOfList = ({ edges }: NodeType, list: string): NamedEdge | undefined => {
  const ownEdge = getOwn(edges, list)
  if (ownEdge !== undefined && ownEdge.lists === undefined)
    return ownEdge.resolve === undefined ? { name: list, edge: ownEdge } : undefined
  const found = Object.entries(edges).find(
    ([name, edge]) => edge.lists !== undefined && listNamesOf({ name, edge }).includes(list),
  )
  return found && { name: found[0], edge: found[1] }
}

/** Returns the mirror of an edge to targets of a type, or `undefined` if it has none. */
export const findMirrorEdge = (
  types: Types,
  { name, edge }: NamedEdge,
  targetType: string,
): NamedEdge | undefined => {
  const mirrorName = edge.symmetric ? name : edge.inverse
  if (mirrorName === undefined) return undefined
  const mirror = getOwn(getOwn(types, targetType)?.edges ?? {}, mirrorName)
  return mirror && { name: mirrorName, edge: mirror }
}

/**
 * Returns the name of the mirror's list for each list of an edge. Both lists belong to the same values of the
 * parameters. Returns `undefined` if the two edges do not distinguish the same values.
 */
export const pairLists = (edge: NamedEdge, mirror: NamedEdge): ReadonlyMap<string, string> | undefined => {
  const [lists, mirrorLists] = [edge.edge.lists, mirror.edge.lists]
  if (lists === undefined && mirrorLists === undefined) return new Map([[edge.name, mirror.name]])
  if (lists?.parameters.join() !== mirrorLists?.parameters.join()) return undefined
  const mirrorsByList = new Map<string, string>()
  for (const [key, list] of lists?.names ?? []) {
    const mirrorList = mirrorLists?.names.get(key)
    if (mirrorList === undefined || (mirrorsByList.get(list) ?? mirrorList) !== mirrorList) return undefined
    mirrorsByList.set(list, mirrorList)
  }
  return new Set(mirrorsByList.values()).size === mirrorsByList.size ? mirrorsByList : undefined
}
