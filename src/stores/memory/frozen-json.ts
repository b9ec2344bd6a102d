import { isPlainObject, type JsonObject, type JsonValue } from '../../base/json.ts'

const frozenValue = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenValue))
  if (isPlainObject(value)) return frozenJson(value)
  // JSON has a single zero, and so have the stores that keep text.
  return value === 0 ? 0 : value
}

/**
 * A copy of a JSON object, frozen in all its depth; the object itself stays as it is. `fromEntries` defines members
 * rather than assigning them, so that one called `__proto__` stays a member like any other; and records of one form
 * share a hidden class, where frozen copies by spread have one each (twice the memory, and slow to read).
 */
export const frozenJson = (object: JsonObject): JsonObject =>
  Object.freeze(Object.fromEntries(Object.entries(object).map(([name, value]) => [name, frozenValue(value)])))
