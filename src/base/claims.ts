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
  /** The names and indices from the claims to the current value. */
  readonly #names: (string | number)[] = []
  #remainingLength = MAX_LENGTH

  constructor(location: string, rootPath: string) {
    this.#location = location
    this.#rootPath = rootPath
  }

  copy(value: unknown): JsonObject {
    if (!isPlainObject(value)) throw this.#error('a plain object', value)
    return this.#copyObject(value)
  }

  #copyMember(name: string | number, value: unknown): JsonValue {
    this.#names.push(name)
    if (typeof name === 'string') this.#takeText(name)
    const copy = this.#copyValue(value)
    this.#names.pop()
    return copy
  }

  #copyValue(value: unknown): JsonValue {
    if (typeof value === 'string') return this.#takeText(value)
    if (
      value === null ||
      typeof value === 'boolean' ||
      (typeof value === 'number' && Number.isFinite(value))
    ) {
      this.#take(`${value}`.length)
      // JSON has no negative zero.
      return value === 0 ? 0 : value
    }
    if (Array.isArray(value)) return this.#copyList(value)
    if (isPlainObject(value)) return this.#copyObject(value)
    throw this.#error('a JSON value', value)
  }

  #copyList(list: readonly unknown[]): readonly JsonValue[] {
    const { length } = list
    this.#enter(length)
    const copy: JsonValue[] = []
    for (let index = 0; index < length; index++) {
      this.#take(1)
      copy.push(this.#copyMember(index, list[index]))
    }
    return Object.freeze(copy)
  }

  #copyObject(object: { readonly [name: string]: unknown }): JsonObject {
    const names = Object.keys(object)
    this.#enter(names.length)
    const members = names.map((name): [string, JsonValue] => {
      this.#take(2)
      return [name, this.#copyMember(name, object[name])]
    })
    // Unlike an assignment, `fromEntries` defines a member that is named `__proto__`.
    return Object.freeze(Object.fromEntries(members))
  }

  /** Begins an object or an array. Its brackets count: the last one in place of a comma after the last item. */
  #enter(size: number): void {
    if (this.#names.length >= MAX_LEVELS)
      throw usageError(this.#location, this.#rootPath, `JSON of at most ${MAX_LEVELS} levels`, 'more levels')
    this.#take(size === 0 ? 2 : 1)
  }

  #takeText(text: string): string {
    if (!text.isWellFormed()) throw this.#error('a well-formed string', text)
    // A long text is not serialized only to find out that it is too long.
    this.#take(text.length > MAX_LENGTH ? text.length : JSON.stringify(text).length)
    return text
  }

  #take(length: number): void {
    this.#remainingLength -= length
    if (this.#remainingLength >= 0) return
    const expected = `JSON of at most ${MAX_LENGTH} characters`
    throw usageError(this.#location, this.#rootPath, expected, 'more characters')
  }

  #error(expected: string, received: unknown): TypeError {
    return usageError(this.#location, this.#formatPath(), expected, describeKind(received))
  }

  #formatPath(): string {
    let path = this.#rootPath
    for (const name of this.#names)
      path = typeof name === 'string' ? joinPath(path, name) : `${path}[${name}]`
    return path
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
  new ClaimsCopier(location, path).copy(claims)
