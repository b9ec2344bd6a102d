import { joinPath } from '../base/join-path.ts'
import { isPlainObject } from '../base/json.ts'
import { suggestWords } from '../base/suggest.ts'
import { ValidationIssue } from '../schema/field-type.ts'

/** The unvalidated members of a caller's value. */
export type UnknownObject = { readonly [name: string]: unknown }

/**
 * Creates the issue of an unknown name. It contains similar valid names or, if there are none, all valid
 * names.
 */
export const createUnknownNameIssue = (
  path: string,
  kindName: string,
  name: unknown,
  validNames: Iterable<string>,
): ValidationIssue => {
  const knownNames = [...validNames]
  const suggestions = typeof name === 'string' ? suggestWords(name, knownNames) : []
  if (suggestions.length > 0)
    return new ValidationIssue(`${kindName}, such as ${suggestions.join(' or ')}`, name, path)
  return new ValidationIssue(
    knownNames.length > 0 ? `${kindName}: ${knownNames.join(', ')}` : `${kindName} (there are none)`,
    name,
    path,
  )
}

/**
 * Asserts that a value is a plain object, and returns it.
 *
 * @throws a {@link ValidationIssue} for any other value.
 */
export const requireObject = (value: unknown, path: string, expected: string): UnknownObject => {
  if (!isPlainObject(value)) throw new ValidationIssue(expected, value, path)
  return value
}

/**
 * Asserts that a value is a plain object without unknown members, and returns it.
 *
 * @throws a {@link ValidationIssue} for any other value, or for an unknown member.
 */
export const requireKnownMembers = (
  value: unknown,
  path: string,
  knownNames: readonly string[],
): UnknownObject => {
  const members = requireObject(value, path, `an object with ${knownNames.join(', ')}`)
  // Uses `for…in`, because `Object.keys` would create an array for each record.
  for (const name in members) {
    if (knownNames.includes(name) || !Object.hasOwn(members, name)) continue
    throw createUnknownNameIssue(joinPath(path, name), 'a member', name, knownNames)
  }
  return members
}

/**
 * The depth at which copying a value or computing its digest stops. No valid value is this deep. Without this
 * limit, endless nesting would exhaust the stack before validation rejects the value.
 */
export const MAX_DEPTH = 100

type CopiesByOriginal = Map<object, unknown>

const copyList = (list: readonly unknown[], depth: number, copies: CopiesByOriginal): unknown => {
  const copy: unknown[] = []
  copies.set(list, copy)
  for (const item of list) copy.push(copyValue(item, depth, copies))
  return copy
}

const copyObject = (record: object, depth: number, copies: CopiesByOriginal): unknown => {
  // Spread first, so that a member called `__proto__` is an own member before it is assigned.
  const copy: { [name: string]: unknown } = { ...record }
  copies.set(record, copy)
  for (const name of Object.keys(copy)) copy[name] = copyValue(copy[name], depth, copies)
  return copy
}

const copyValue = (value: unknown, depth: number, copies: CopiesByOriginal): unknown => {
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return value
  if (value instanceof Date) return new Date(value)
  const existingCopy = copies.get(value)
  if (existingCopy !== undefined) return existingCopy
  if (Array.isArray(value)) return copyList(value, depth + 1, copies)
  return isPlainObject(value) ? copyObject(value, depth + 1, copies) : value
}

/**
 * Copies a caller's value, so that later changes to it do not affect a pending write. Copies plain objects,
 * arrays and dates, including cycles. Instances of other classes are not copied, because only their field
 * types can interpret them.
 */
export const deepCopy = (value: unknown): unknown => copyValue(value, 0, new Map())

/** The length at which the estimate of a value stops, so that it also ends for a value with cycles. */
const MAX_ESTIMATED_LENGTH = 2 ** 20
/** The approximate length of a number, or of the punctuation of a member. */
const SHORT_LENGTH = 8

/** Returns the approximate length of a value as JSON, up to about a million characters. */
export const estimateLength = (value: unknown): number => {
  const pendingValues = [value]
  let length = 0
  while (pendingValues.length > 0 && length < MAX_ESTIMATED_LENGTH) {
    const next = pendingValues.pop()
    length += typeof next === 'string' ? next.length + SHORT_LENGTH : SHORT_LENGTH
    if (!Array.isArray(next) && !isPlainObject(next)) continue
    for (const member of Object.values(next)) pendingValues.push(member)
  }
  return length
}
