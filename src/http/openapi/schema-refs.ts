import type { JsonObject } from '../../base/json.ts'

/** Returns a reference to a component by its name. */
export const createSchemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** Any of some components. Not `oneOf`, since the requested fields may match the nodes of several types. */
export const createAnyOf = (names: readonly string[]): JsonObject => {
  const refs = [...new Set(names)].map(createSchemaRef)
  return refs.length === 1 ? { ...refs[0] } : { anyOf: refs }
}
