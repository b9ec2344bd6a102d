import { shortenText } from '../base/describe.ts'
import { GraphError } from '../base/errors.ts'
import { formatSuggestions, suggestWords } from '../base/suggest.ts'
import { isInVersion } from '../base/version.ts'
import type { Field } from '../schema/field.ts'
import { getOwn } from '../schema/node.ts'
import type { Registry } from '../schema/registry.ts'
import type { ParentTypes } from './parent-types.ts'

/** An unknown name, the location where it was used, and the known names. */
type FieldNotFoundInput = {
  readonly name: string
  readonly location: string
  readonly type: string
  /** Without duplicates. */
  readonly knownNames: Iterable<string>
  /** The hint that replaces the suggestions. */
  readonly hint?: string | undefined
}

/**
 * Creates the error for an unknown name, with suggestions. Clients of the protocol match the first words of
 * the message, which are the same for fields and edges.
 */
export const fieldNotFoundError = ({
  name,
  location,
  type,
  knownNames,
  hint,
}: FieldNotFoundInput): GraphError => {
  const received = shortenText(name)
  const suggestions = suggestWords(name, knownNames)
  return new GraphError(
    'field_not_found',
    `(#100) Tried accessing nonexisting field (${received}) ${location}${hint ?? formatSuggestions(suggestions)}`,
    { name: received, type, suggestions },
  )
}

/**
 * Creates the error for an edge that a type does not have, with a hint if the type has a field of that name.
 */
export const edgeNotFoundError = (registry: Registry, type: string, name: string): GraphError => {
  const isField = name === 'id' || registry.getField(type, name) !== undefined
  return fieldNotFoundError({
    name,
    location: `on node type (${type})`,
    type,
    knownNames: Object.keys(registry.getType(type)?.edges ?? {}),
    hint: isField ? `; ${name} is a field: request it with fields=${name}` : undefined,
  })
}

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
 * The part of `Declarations` that the errors use. The class cannot be imported here, because it depends on
 * this file.
 */
type KnownDeclarations = {
  readonly registry: Registry
  readonly version: string
  namesOf(parentTypes: ParentTypes): ReadonlySet<string>
}

/**
 * Creates the error for a name that is not declared in this version, neither by the types nor by the edge
 * that leads to them: `field_not_in_version` if another version has the field, otherwise `field_not_found`.
 */
const nameNotFoundError = (
  declarations: KnownDeclarations,
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
 * Creates a function that returns the error for an undeclared name. The returned function keeps only these
 * arguments in memory.
 */
export const createNameErrorGetter =
  (declarations: KnownDeclarations, parentTypes: ParentTypes, name: string) => (): GraphError =>
    nameNotFoundError(declarations, parentTypes, name)
