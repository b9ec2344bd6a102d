import { isPlainObject, isText, type JsonValue } from '../base/json.ts'
import { type FieldType, type FieldTypeParts, ValidationIssue } from './field-type.ts'
import { createJsonObject, parsePart } from './structured-types.ts'

/** The number of arrays and objects inside each other. Deeper values would overflow the stack. */
const MAX_DEPTH = 100
/** The number of texts, numbers, booleans, nulls, arrays and objects in one value. */
const MAX_PARTS = 100_000

const EXPECTED = 'JSON'
const BOUNDS_EXPECTED = `JSON with at most ${MAX_DEPTH} levels and ${MAX_PARTS} values`

/** Whether a value is JSON without parts. */
const isPlainJson = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === 'boolean' || Number.isFinite(value) || isText(value)

/** Copies one value. It counts the parts, because a value that contains itself would have infinitely many. */
class JsonCopier {
  #partCount = 0

  /** @throws ValidationIssue for the first part that is not JSON, or if the value has too many parts. */
  copy(value: unknown, depth = 0): JsonValue {
    this.#partCount++
    if (depth > MAX_DEPTH || this.#partCount > MAX_PARTS) throw new ValidationIssue(BOUNDS_EXPECTED, value)
    if (isPlainJson(value)) return value
    // `Array.from` does not skip the holes of an array.
    if (Array.isArray(value))
      return Array.from(value, (item: unknown, index) =>
        parsePart(part => this.copy(part, depth + 1), item, `[${index}]`),
      )
    if (!isPlainObject(value)) throw new ValidationIssue(EXPECTED, value)
    return createJsonObject(
      Object.entries(value).map(([name, member]) => {
        if (!isText(name)) throw new ValidationIssue('an object with well-formed names', name)
        return [name, parsePart(part => this.copy(part, depth + 1), member, `.${name}`)] as const
      }),
    )
  }
}

/** Checks one value like {@link JsonCopier}, without a copy. */
class JsonCheck {
  #partCount = 0

  isJson(value: unknown, depth = 0): value is JsonValue {
    this.#partCount++
    if (depth > MAX_DEPTH || this.#partCount > MAX_PARTS) return false
    if (isPlainJson(value)) return true
    if (Array.isArray(value)) {
      // `every` would skip the holes of an array.
      for (const item of value) if (!this.isJson(item, depth + 1)) return false
      return true
    }
    return (
      isPlainObject(value) &&
      Object.entries(value).every(([name, member]) => isText(name) && this.isJson(member, depth + 1))
    )
  }
}

/** Copies a value that is JSON. Callers may change results. */
const copyJson = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(copyJson)
  if (typeof value !== 'object' || value === null) return value
  return createJsonObject(Object.entries(value).map(([name, member]) => [name, copyJson(member)]))
}

const PARTS: FieldTypeParts = { json: true }

/** The type of any JSON. `null` as a whole means that there is no value, as for every type. */
export const jsonType: FieldType<JsonValue> = {
  name: 'json',
  notation: 'json',
  serializesAsIs: false,
  parts: PARTS,
  parse: value => new JsonCopier().copy(value),
  isValid: stored => new JsonCheck().isJson(stored),
  serialize: stored => (new JsonCheck().isJson(stored) ? copyJson(stored) : undefined),
}
