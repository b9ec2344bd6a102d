import { isPlainObject, type JsonObject } from './json.ts'

/** The texts of frozen objects, because a page has many cursors. */
const texts = new WeakMap<JsonObject, string>()

const sortMembers = (_name: string, value: unknown): unknown =>
  isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Returns a deeply frozen object as JSON with sorted members. Equal objects have the same text. */
export const canonicalTextOf = (object: JsonObject): string => {
  const text = texts.get(object) ?? JSON.stringify(object, sortMembers)
  texts.set(object, text)
  return text
}
