import { shorten } from '../base/describe.ts'
import { GraphError } from '../base/faults.ts'
import { suggest } from '../base/suggest.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Registry } from '../schema/registry.ts'

/** The fault for a name that none of some types has, nor the edge that leads to them. */
export const unknownName = (
  registry: Registry,
  types: readonly string[],
  edge: EdgeType | undefined,
  name: string,
): GraphError => {
  const known = types.flatMap(type => {
    const { fields = {}, edges = {} } = registry.type(type) ?? {}
    return [...Object.keys(fields), ...Object.keys(edges)]
  })
  const suggestions = suggest(name, new Set([...known, ...Object.keys(edge?.fields ?? {})]))
  const type = types.join('|')
  const hint = suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(' or ')}?`
  const came = shorten(name)
  const message = `(#100) There is no field or edge ${came} on node type ${type}${hint}`
  return new GraphError('unknown_field', message, { name: came, type, suggestions })
}
