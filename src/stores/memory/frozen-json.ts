import { isPlainObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { TokenRecord } from '../../store/contract.ts'

const frozenValue = (value: JsonValue): JsonValue => {
  // JSON has a single zero, and so have the stores that keep text.
  if (typeof value === 'number') return value === 0 ? 0 : value
  if (Array.isArray(value)) return Object.freeze(value.map(frozenValue))
  return isPlainObject(value) ? frozenJson(value) : value
}

/** Defines a member rather than assigning it, so that one called `__proto__` stays a member like any other. */
const define = (object: object, name: string, value: JsonValue): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

/**
 * A copy of a JSON object, frozen in all its depth; the object itself stays as it is. Members are added one by one, so that
 * records of one form share a hidden class, where frozen copies by spread have one each: twice the memory, and slow to
 * read. `Object.fromEntries` would do the same in three times the time.
 */
export const frozenJson = (object: JsonObject): JsonObject => {
  const copy: { [name: string]: JsonValue } = {}
  for (const name of Object.keys(object)) {
    const value = object[name]
    // Neither has JSON what is undefined.
    if (value === undefined) continue
    if (name === '__proto__') define(copy, name, frozenValue(value))
    else copy[name] = frozenValue(value)
  }
  return Object.freeze(copy)
}

/** The same of a token record, which has undefined members and keeps them. */
export const frozenToken = (token: TokenRecord): TokenRecord => {
  const { viewer, app, scopes, issuedAt, expiresAt, revokedAt, generation, ...others } = token
  const copy = { viewer, app, scopes: Object.freeze([...scopes]), issuedAt, expiresAt, revokedAt, generation }
  for (const [name, value] of Object.entries(others)) define(copy, name, frozenValue(value))
  return Object.freeze(copy)
}
