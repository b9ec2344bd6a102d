import type { GraphError } from '../base/faults.ts'
import type { Registry } from '../schema/registry.ts'
import { unknownField } from './unknown-field.ts'

/** The fault for an edge that a type does not have; a field of that name is asked for in another way. */
export const unknownEdge = (registry: Registry, type: string, name: string): GraphError => {
  const isField = name === 'id' || registry.field(type, name) !== undefined
  return unknownField({
    name,
    where: `on node type (${type})`,
    type,
    known: Object.keys(registry.type(type)?.edges ?? {}),
    hint: isField ? `; ${name} is a field, which fields=${name} of the node asks for` : undefined,
  })
}
