import { GraphError } from '../base/errors.ts'
import { isInVersion } from '../base/version.ts'
import type { Field } from '../schema/field.ts'
import { getOwn } from '../schema/get-own.ts'
import type { Registry } from '../schema/registry.ts'
import type { Declarations } from './declarations.ts'
import { fieldNotFoundError } from './field-not-found-error.ts'
import type { ParentTypes } from './parent-types.ts'

const fieldNotInVersionError = (name: string, { since, removedIn }: Field, version: string): GraphError => {
  const isTooEarly = since !== undefined && !isInVersion({ since, removedIn: undefined }, version)
  const requirement = isTooEarly
    ? `requires version ${since} or higher`
    : `is not available in version ${removedIn} and higher`
  return new GraphError('field_not_in_version', `(#12) Field ${name} ${requirement}`, { name, version })
}

const findFields = (parentTypes: ParentTypes, name: string, registry: Registry): readonly Field[] =>
  parentTypes.flatMap(
    ({ type, edge }) => (edge && getOwn(edge.fields, name)) ?? registry.getField(type, name) ?? [],
  )

/**
 * Creates the error for a name that is not declared in this version, neither by the types nor by the edge
 * that leads to them: `field_not_in_version` if another version has the field, else `field_not_found`.
 */
const nameNotFoundError = (
  declarations: Declarations,
  parentTypes: ParentTypes,
  name: string,
): GraphError => {
  const { registry, version } = declarations
  const [fieldOfOtherVersion] = findFields(parentTypes, name, registry)
  if (fieldOfOtherVersion !== undefined) return fieldNotInVersionError(name, fieldOfOtherVersion, version)
  const type = [...new Set(parentTypes.map(({ type }) => type))].join('|')
  const knownNames = declarations.namesOf(parentTypes)
  return fieldNotFoundError({ name, location: `on node type (${type})`, type, knownNames })
}

/**
 * Creates a function that returns the error for such a name. It is a separate function to keep nothing else
 * in memory.
 */
export const createNameErrorGetter =
  (declarations: Declarations, parentTypes: ParentTypes, name: string) => (): GraphError =>
    nameNotFoundError(declarations, parentTypes, name)
