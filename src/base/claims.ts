import { joinPath } from './join-path.ts'
import { isPlainObject, isText, type JsonObject, type JsonValue } from './json.ts'
import { usageError } from './usage-error.ts'

/** The maximum number of levels of objects and arrays. The claims themselves are the first level. */
const MAX_LEVELS = 10
/** The maximum length of the claims as JSON, in characters (UTF-16 code units). */
const MAX_LENGTH = 16_384

/** Describes a value by its kind alone, because claims may be personal. */
const describeKind = (value: unknown): string => {
  if (typeof value === 'string') return isText(value) ? 'a string' : 'a string with a lone surrogate'
  if (typeof value === 'number') return Number.isFinite(value) ? 'a number' : `${value}`
  if (value === undefined || value === null) return `${value}`
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return isPlainObject(value) ? 'a plain object' : 'an object of a class'
  return `a ${typeof value}`
}

/** Copies the claims of one token or session. Reads each member once, so a getter or a proxy runs once. */
class ClaimsCopier {
  readonly #location: string
  readonly #rootPath: string
  #remainingLength = MAX_LENGTH

  constructor(location: string, rootPath: string) {
    this.#location = location
    this.#rootPath = rootPath
  }

  copyRoot(value: unknown): JsonObject {
    if (!isPlainObject(value)) throw this.#error(this.#rootPath, 'a plain object', value)
    return this.#copyObject(value, this.#rootPath, 1)
  }

  #copyValue(value: unknown, path: string, level: number): JsonValue {
    if (typeof value === 'string') return this.#copyText(value, path)
    if (value === null || typeof value === 'boolean') {
      this.#take(`${value}`.length)
      return value
    }
    if (typeof value === 'number' && Number.isFinite(value)) {
      this.#take(`${value}`.length)
      // JSON has no negative zero.
      return value === 0 ? 0 : value
    }
    if (Array.isArray(value)) return this.#copyList(value, path, level + 1)
    if (isPlainObject(value)) return this.#copyObject(value, path, level + 1)
    throw this.#error(path, 'a JSON value', value)
  }

  #copyText(text: string, path: string): string {
    if (!text.isWellFormed()) throw this.#error(path, 'a well-formed string', text)
    // A long text is not serialized only to find out that it is too long.
    this.#take(text.length > MAX_LENGTH ? text.length : JSON.stringify(text).length)
    return text
  }

  #copyList(list: readonly unknown[], path: string, level: number): readonly JsonValue[] {
    const { length } = list
    this.#enter(level, length)
    const copy: JsonValue[] = []
    for (let index = 0; index < length; index++) {
      this.#take(1)
      copy.push(this.#copyValue(list[index], `${path}[${index}]`, level))
    }
    return Object.freeze(copy)
  }

  #copyObject(object: { readonly [name: string]: unknown }, path: string, level: number): JsonObject {
    const names = Object.keys(object)
    this.#enter(level, names.length)
    const members = names.map((name): [string, JsonValue] => {
      const memberPath = joinPath(path, name)
      this.#take(2)
      return [this.#copyText(name, memberPath), this.#copyValue(object[name], memberPath, level)]
    })
    // Unlike an assignment, `fromEntries` defines a member that is named `__proto__`.
    return Object.freeze(Object.fromEntries(members))
  }

  /** Begins an object or an array, whose brackets count. */
  #enter(level: number, size: number): void {
    if (level > MAX_LEVELS)
      throw usageError(this.#location, this.#rootPath, `JSON of at most ${MAX_LEVELS} levels`, 'more levels')
    // The closing bracket counts in place of a comma after the last item.
    this.#take(size === 0 ? 2 : 1)
  }

  #take(length: number): void {
    this.#remainingLength -= length
    if (this.#remainingLength >= 0) return
    const expected = `JSON of at most ${MAX_LENGTH} characters`
    throw usageError(this.#location, this.#rootPath, expected, 'more characters')
  }

  #error(path: string, expected: string, received: unknown): TypeError {
    return usageError(this.#location, path, expected, describeKind(received))
  }
}

/**
 * Validates claims, and returns a deeply frozen copy. Claims are a plain object of JSON values: well-formed
 * strings, finite numbers, booleans, null, arrays and plain objects. They have at most 10 levels and, as JSON,
 * at most 16,384 characters.
 *
 * @throws TypeError whose message contains the path and the kind of a value that is not allowed, but not the
 * value.
 */
export const copyClaims = (location: string, claims: unknown, path = 'claims'): JsonObject =>
  new ClaimsCopier(location, path).copyRoot(claims)
