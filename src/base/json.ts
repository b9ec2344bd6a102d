/** A JSON value, as records hold and answers carry it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object, as records hold and answers carry it. */
export type JsonObject = { readonly [name: string]: JsonValue }

/** Whether a value is an object with string keys: neither null, nor an array, nor a primitive. */
export const isPlainObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether a value is an object literal, or what a parser makes. A `Map`, a `Date` or an instance of a class is not: it would
 * pass for an object without members. The prototype's prototype decides, so that objects of another realm pass.
 */
export const isRecord = (value: unknown): value is { readonly [name: string]: unknown } => {
  if (!isPlainObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean => {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (!isSameJson(a[at], b[at])) return false
  return true
}

/**
 * Whether two values are the same JSON, whatever the order of their members. A value that is not JSON equals nothing.
 *
 * @throws RangeError if a value holds itself, or is too deep.
 */
export const isSameJson = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b)
  if (typeof a !== 'object' || a === null)
    return a === b && (a === null || typeof a === 'string' || typeof a === 'boolean' || Number.isFinite(a))
  if (!isRecord(a) || !isRecord(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every(name => Object.hasOwn(b, name) && isSameJson(a[name], b[name]))
}

/** Whether a JSON value is an object. */
export const isJsonObject = (value: JsonValue | undefined): value is JsonObject => isPlainObject(value)
