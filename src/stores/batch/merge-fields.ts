import type { JsonObject, JsonValue } from '../../base/json.ts'

/** What a patch names stands last, in the patch's order, so that patches come to the same one by one or joined. */
const patchedEntries = (fields: JsonObject, patch: JsonObject): readonly (readonly [string, JsonValue])[] => [
  ...Object.entries(fields).filter(([name]) => !Object.hasOwn(patch, name)),
  ...Object.entries(patch),
]

/** A patch over fields; null removes one. Entries become members whatever their name is, `__proto__` included. */
export const mergeFields = (fields: JsonObject, patch: JsonObject): JsonObject =>
  Object.fromEntries(
    patchedEntries(fields, patch).filter(([name, value]) => value !== null || !Object.hasOwn(patch, name)),
  )

/** The patch that does what two do one after the other. */
export const joinPatches = (first: JsonObject, second: JsonObject): JsonObject =>
  Object.fromEntries(patchedEntries(first, second))
