import { isPlainObject, type JsonObject, type JsonValue } from '../../base/json.ts'

const frozenValue = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenValue))
  return isPlainObject(value) ? frozenJson(value) : value
}

/**
 * A copy of a JSON object, frozen in all its depth; the object itself stays as it is. Names are never assigned before
 * the spread has made them members, so that one called `__proto__` stays a member like any other.
 */
export const frozenJson = (object: JsonObject): JsonObject => {
  const copy: { [name: string]: JsonValue } = { ...object }
  for (const name of Object.keys(copy)) {
    const value = copy[name]
    if (typeof value === 'object' && value !== null) copy[name] = frozenValue(value)
  }
  return Object.freeze(copy)
}
