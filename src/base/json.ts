/** A JSON value, as records hold and answers carry it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object, as records hold and answers carry it. */
export type JsonObject = { readonly [name: string]: JsonValue }

/** Whether a value is an object with string keys: neither null, nor an array, nor a primitive. */
export const isPlainObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a JSON value is an object. */
export const isJsonObject = (value: JsonValue | undefined): value is JsonObject => isPlainObject(value)
