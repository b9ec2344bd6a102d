import { isPlainObject, isRecord, type JsonObject, type JsonValue } from '../base/json.ts'
import { type FieldType, type MemberType, Mismatch, type SerializeContext } from './field-type.ts'
import { isText } from './scalar-types.ts'

const parseInside = (type: FieldType, value: unknown, place: string): JsonValue => {
  try {
    return type.parse(value)
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    throw error.inside(place)
  }
}

/** Builds an object from entries so that a name like `__proto__` stays a name. */
const objectOf = (entries: Iterable<readonly [string, JsonValue]>): JsonObject => Object.fromEntries(entries)

/** An instance of a class is not JSON: a custom store may return one, and a `Map` or a `Date` has no members to return. */
const isStoredObject = (stored: JsonValue | undefined): stored is JsonObject => isRecord(stored)

/** Values of one type, in order. */
export const listType = <TOutput>(of: FieldType<TOutput>): FieldType<TOutput[]> => ({
  name: `list<${of.name}>`,
  notation: 'json',
  plain: false,
  parts: { items: of },
  parse(value) {
    if (!Array.isArray(value)) throw new Mismatch('a list', value)
    return value.map((item: unknown, index) => parseInside(of, item, `[${index}]`))
  },
  isValid(stored) {
    if (!Array.isArray(stored)) return false
    // `every` passes over holes.
    for (const item of stored) if (!of.isValid(item)) return false
    return true
  },
  serialize(stored, context) {
    if (!Array.isArray(stored)) return undefined
    const values: TOutput[] = []
    for (const item of stored) {
      const value = of.serialize(item, context)
      if (value !== undefined) values.push(value)
      else if (context.checked && !of.isValid(item)) return undefined
    }
    return values
  },
})

/** Values of one type under any names. */
export const mapType = <TOutput>(of: FieldType<TOutput>): FieldType<{ [key: string]: TOutput }> => ({
  name: `map<string,${of.name}>`,
  notation: 'json',
  plain: false,
  parts: { values: of },
  parse(value) {
    if (!isPlainObject(value)) throw new Mismatch('an object', value)
    return objectOf(
      Object.entries(value).map(([key, item]) => {
        if (!isText(key)) throw new Mismatch('well-formed names', key)
        return [key, parseInside(of, item, `.${key}`)] as const
      }),
    )
  },
  isValid: stored =>
    isRecord(stored) && Object.entries(stored).every(([key, item]) => isText(key) && of.isValid(item)),
  serialize(stored, context) {
    if (!isStoredObject(stored)) return undefined
    const entries: (readonly [string, TOutput])[] = []
    for (const [key, item] of Object.entries(stored)) {
      if (context.checked && !isText(key)) return undefined
      const value = of.serialize(item, context)
      if (value !== undefined) entries.push([key, value])
      else if (context.checked && !of.isValid(item)) return undefined
    }
    return Object.fromEntries(entries)
  },
})

const parseMembers = (members: ReadonlyMap<string, MemberType>, value: unknown): JsonObject => {
  const names = [...members.keys()].join(', ')
  if (!isPlainObject(value)) throw new Mismatch(`an object with ${names}`, value)
  const unknown = Object.keys(value).find(name => !members.has(name))
  if (unknown !== undefined) throw new Mismatch(`no member but ${names}`, unknown)
  const parsed: (readonly [string, JsonValue])[] = []
  for (const [name, { type, required }] of members) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    if (member !== undefined && member !== null) parsed.push([name, parseInside(type, member, `.${name}`)])
    else if (required) throw new Mismatch('a value', member, `.${name}`)
  }
  return objectOf(parsed)
}

/** Whether a stored object lacks a member that it must have, or the member is bad. Members that are not declared do not count. */
const isBadMember = ({ type, required }: MemberType, stored: unknown): boolean =>
  stored === undefined || stored === null ? required : !type.isValid(stored)

const storedMember = <TValue>(
  stored: { readonly [name: string]: TValue },
  name: string,
): TValue | undefined => (Object.hasOwn(stored, name) ? stored[name] : undefined)

const serializeMembers = (
  members: ReadonlyMap<string, MemberType>,
  stored: JsonObject,
  context: SerializeContext,
): { [name: string]: unknown } | undefined => {
  const answer: { [name: string]: unknown } = {}
  for (const [name, member] of members) {
    const part = storedMember(stored, name)
    const value = member.type.serialize(part, context)
    if (value !== undefined) answer[name] = value
    else if (context.checked && isBadMember(member, part)) return undefined
  }
  return answer
}

/** An object with named members, each of its own type; a member without a value is left out. */
export const objectType = (
  members: ReadonlyMap<string, MemberType>,
): FieldType<{ [name: string]: unknown }> => ({
  name: 'object',
  notation: 'json',
  plain: false,
  parts: { members },
  parse: value => parseMembers(members, value),
  isValid: stored =>
    isRecord(stored) &&
    [...members].every(([name, member]) => !isBadMember(member, storedMember(stored, name))),
  serialize: (stored, context) =>
    isStoredObject(stored) ? serializeMembers(members, stored, context) : undefined,
})
