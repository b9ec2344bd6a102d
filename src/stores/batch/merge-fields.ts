import type { JsonObject, JsonValue } from '../../base/json.ts'

/**
 * Returns the members of both: those of the patch last, in its order, so that the order is the same for
 * single and joined patches. A null of the patch stays.
 */
const mergeEntries = (fields: JsonObject, patch: JsonObject): readonly (readonly [string, JsonValue])[] => [
  ...Object.entries(fields).filter(([name]) => !Object.hasOwn(patch, name)),
  ...Object.entries(patch),
]

/** Applies a patch to fields; null removes a field. Any name is a plain member, including `__proto__`. */
export const mergeFields = (fields: JsonObject, patch: JsonObject): JsonObject =>
  Object.fromEntries(
    mergeEntries(fields, patch).filter(([name, value]) => value !== null || !Object.hasOwn(patch, name)),
  )

/** Joins two patches into one with the same effect. */
export const mergePatches = (first: JsonObject, second: JsonObject): JsonObject =>
  Object.fromEntries(mergeEntries(first, second))
