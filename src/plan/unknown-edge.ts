import { shorten } from '../base/describe.ts'
import { GraphError } from '../base/faults.ts'
import { suggest } from '../base/suggest.ts'
import type { Registry } from '../schema/registry.ts'

/** The fault for an edge that a type does not have; a field of that name is asked for in another way. */
export const unknownEdge = (registry: Registry, type: string, name: string): GraphError => {
  const came = shorten(name)
  const suggestions = suggest(name, new Set(Object.keys(registry.type(type)?.edges ?? {})))
  const meant = suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(' or ')}?`
  const isField = name === 'id' || registry.field(type, name) !== undefined
  const hint = isField ? `; ${came} is a field, which fields=${came} of the node asks for` : meant
  const message = `(#100) There is no edge ${came} on node type ${type}${hint}`
  return new GraphError('unknown_field', message, { name: came, type, suggestions })
}
