import { isNonArrayObject, isPlainObject, isText, type JsonObject, type JsonValue } from '../base/json.ts'
import { type FieldType, type MemberType, type SerializeContext, ValidationIssue } from './field-type.ts'

/** Parses a part of a value. The path of an issue begins with `segment`. */
export const parsePart = (
  parse: (value: unknown) => JsonValue,
  value: unknown,
  segment: string,
): JsonValue => {
  try {
    return parse(value)
  } catch (error) {
    if (!(error instanceof ValidationIssue)) throw error
    throw error.withPathPrefix(segment)
  }
}

/** Creates an object from entries. Even `__proto__` becomes an own property. */
export const createJsonObject = (entries: Iterable<readonly [string, JsonValue]>): JsonObject =>
  Object.fromEntries(entries)

/** Creates the type of lists whose values all have the same type. */
export const listType = <TOutput>(itemType: FieldType<TOutput>): FieldType<TOutput[]> => ({
  name: `list<${itemType.name}>`,
  notation: 'json',
  serializesAsIs: false,
  parts: { items: itemType },
  parse(value) {
    if (!Array.isArray(value)) throw new ValidationIssue('an array', value)
    return value.map((item: unknown, index) => parsePart(part => itemType.parse(part), item, `[${index}]`))
  },
  isValid(stored) {
    if (!Array.isArray(stored)) return false
    // `every` would skip the holes of an array.
    for (const item of stored) if (!itemType.isValid(item)) return false
    return true
  },
  serialize(stored, context) {
    if (!Array.isArray(stored)) return undefined
    const values: TOutput[] = []
    for (const item of stored) {
      const value = itemType.serialize(item, context)
      if (value !== undefined) values.push(value)
      else if (context.isStrict && !itemType.isValid(item)) return undefined
    }
    return values
  },
})

/** Creates the type of objects with any names, whose values all have the same type. */
export const mapType = <TOutput>(valueType: FieldType<TOutput>): FieldType<{ [key: string]: TOutput }> => ({
  name: `map<string,${valueType.name}>`,
  notation: 'json',
  serializesAsIs: false,
  parts: { values: valueType },
  parse(value) {
    if (!isNonArrayObject(value)) throw new ValidationIssue('an object', value)
    return createJsonObject(
      Object.entries(value).map(([key, item]) => {
        if (!isText(key)) throw new ValidationIssue('an object with well-formed names', key)
        return [key, parsePart(part => valueType.parse(part), item, `.${key}`)] as const
      }),
    )
  },
  isValid: stored =>
    isPlainObject(stored) &&
    Object.entries(stored).every(([key, item]) => isText(key) && valueType.isValid(item)),
  serialize(stored, context) {
    if (!isPlainObject(stored)) return undefined
    const entries: (readonly [string, TOutput])[] = []
    for (const [key, item] of Object.entries(stored)) {
      if (context.isStrict && !isText(key)) return undefined
      const value = valueType.serialize(item, context)
      if (value !== undefined) entries.push([key, value])
      else if (context.isStrict && !valueType.isValid(item)) return undefined
    }
    return Object.fromEntries(entries)
  },
})

const parseMembers = (members: ReadonlyMap<string, MemberType>, value: unknown): JsonObject => {
  const names = [...members.keys()].join(', ')
  if (!isNonArrayObject(value)) throw new ValidationIssue(`an object with ${names}`, value)
  const unknownName = Object.keys(value).find(name => !members.has(name))
  if (unknownName !== undefined) throw new ValidationIssue(`an object with only ${names}`, unknownName)
  const parsed: (readonly [string, JsonValue])[] = []
  for (const [name, { type, required }] of members) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    if (member !== undefined && member !== null)
      parsed.push([name, parsePart(part => type.parse(part), member, `.${name}`)])
    else if (required) throw new ValidationIssue('a value', member, `.${name}`)
  }
  return createJsonObject(parsed)
}

/** Whether a stored member is not valid, or is missing although it is required. */
const isBadMember = ({ type, required }: MemberType, stored: unknown): boolean =>
  stored === undefined || stored === null ? required : !type.isValid(stored)

const storedMemberOf = <TValue>(
  stored: { readonly [name: string]: TValue },
  name: string,
): TValue | undefined => (Object.hasOwn(stored, name) ? stored[name] : undefined)

const serializeMembers = (
  members: ReadonlyMap<string, MemberType>,
  stored: JsonObject,
  context: SerializeContext,
): { [name: string]: unknown } | undefined => {
  const result: { [name: string]: unknown } = {}
  for (const [name, member] of members) {
    const storedMember = storedMemberOf(stored, name)
    const value = member.type.serialize(storedMember, context)
    if (value !== undefined) result[name] = value
    else if (context.isStrict && isBadMember(member, storedMember)) return undefined
  }
  return result
}

/**
 * Creates the type of objects with fixed members, each of its own type. A member without a value is left out.
 */
export const objectType = (
  members: ReadonlyMap<string, MemberType>,
): FieldType<{ [name: string]: unknown }> => ({
  name: 'object',
  notation: 'json',
  serializesAsIs: false,
  parts: { members },
  parse: value => parseMembers(members, value),
  isValid: stored =>
    isPlainObject(stored) &&
    [...members].every(([name, member]) => !isBadMember(member, storedMemberOf(stored, name))),
  serialize: (stored, context) =>
    isPlainObject(stored) ? serializeMembers(members, stored, context) : undefined,
})
