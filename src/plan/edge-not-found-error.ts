import type { GraphError } from '../base/errors.ts'
import type { Registry } from '../schema/registry.ts'
import { fieldNotFoundError } from './field-not-found-error.ts'

/** Creates the error for an edge that a type does not have, with a hint if it has a field of that name. */
export const edgeNotFoundError = (registry: Registry, type: string, name: string): GraphError => {
  const isField = name === 'id' || registry.getField(type, name) !== undefined
  return fieldNotFoundError({
    name,
    location: `on node type (${type})`,
    type,
    knownNames: Object.keys(registry.getType(type)?.edges ?? {}),
    hint: isField ? `; ${name} is a field, which the node returns for fields=${name}` : undefined,
  })
}
