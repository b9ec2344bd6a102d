import type { JsonObject, JsonValue } from '../../base/json.ts'

/**
 * Puts patched members last, in the patch's order, so that the order of members is the same for single and
 * joined patches.
 */
const listPatchedEntries = (
  fields: JsonObject,
  patch: JsonObject,
): readonly (readonly [string, JsonValue])[] => [
  ...Object.entries(fields).filter(([name]) => !Object.hasOwn(patch, name)),
  ...Object.entries(patch),
]

/** Applies a patch to fields; null removes a field. Any name is a plain member, including `__proto__`. */
export const mergeFields = (fields: JsonObject, patch: JsonObject): JsonObject =>
  Object.fromEntries(
    listPatchedEntries(fields, patch).filter(
      ([name, value]) => value !== null || !Object.hasOwn(patch, name),
    ),
  )

/** Joins two patches into one with the same effect. */
export const mergePatches = (first: JsonObject, second: JsonObject): JsonObject =>
  Object.fromEntries(listPatchedEntries(first, second))
