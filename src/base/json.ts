/** A JSON value of a record or a result. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object of a record or a result. */
export type JsonObject = { readonly [name: string]: JsonValue }

/** Whether a value is a string without lone surrogates, which every store and encoding supports. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed()

/** Whether a value is an object or an array. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Whether a value is an object that is neither null nor an array. Instances of classes are accepted, such as
 * a `Date`.
 */
export const isNonArrayObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  isObject(value) && !Array.isArray(value)

/**
 * Whether a value is an object literal or an object that `JSON.parse` returned. A `Map`, a `Date` or an
 * instance of a class is not accepted, because it would look like an object without members. The check uses
 * the prototype of the prototype, so that it accepts objects of other realms.
 */
export const isPlainObject = (value: unknown): value is { readonly [name: string]: unknown } => {
  if (!isNonArrayObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean => {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (!isSameJson(a[index], b[index])) return false
  return true
}

/**
 * Whether two values are the same JSON, regardless of the order of their members. A value that is not JSON
 * does not equal any value.
 *
 * @throws RangeError if a value contains itself or is too deep.
 */
export const isSameJson = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b)
  if (typeof a !== 'object' || a === null)
    return a === b && (a === null || typeof a === 'string' || typeof a === 'boolean' || Number.isFinite(a))
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every(name => Object.hasOwn(b, name) && isSameJson(a[name], b[name]))
}
