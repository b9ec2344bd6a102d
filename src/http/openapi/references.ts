import type { JsonObject } from '../../base/json.ts'

/** A component by its name. */
export const schemaRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** Any of some components. Not `oneOf`: what is asked of a node may be what nodes of several types have. */
export const anyOf = (names: readonly string[]): JsonObject => {
  const refs = [...new Set(names)].map(schemaRef)
  return refs.length === 1 ? { ...refs[0] } : { anyOf: refs }
}
