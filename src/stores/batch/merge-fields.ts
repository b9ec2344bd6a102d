import type { JsonObject } from '../../base/json.ts'

/** A patch over fields; null removes one. Entries become members whatever their name is, `__proto__` included. */
export const mergeFields = (fields: JsonObject, patch: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...fields, ...patch }).filter(([name]) => patch[name] !== null))
