import { isPlainObject, isSameJson, type JsonValue } from '../base/json.ts'
import { assertKinds, assertObject, type OptionKinds } from '../base/options.ts'
import { type CustomFieldType, type FieldTypeParts, Mismatch, type SerializeContext } from './field-type.ts'

/** A type of value of the schema's author. */
export type FieldTypeDefinition<TOutput, TInput, TStored extends JsonValue> = {
  /** The name in metadata. */
  readonly name: string
  /** What a value must be, for the fault of a write that gives something else: `'an amount as "12.50 EUR"'`. */
  readonly expected: string
  /**
   * Makes of what a write gives what the store keeps; takes a stored value again, unchanged. A client may send anything,
   * of other types too: whatever it throws refuses the value, as undefined does. On read it decides whether a stored value
   * is valid: if `parse` returns the same JSON.
   */
  parse(value: TInput | TStored): TStored | undefined
  /**
   * Makes of a stored value what an answer carries: plain objects and lists are copied, so that none is shared. If
   * it throws, the value is bad, as one that `parse` does not accept. If it returns undefined, the field is left out.
   */
  serialize(stored: TStored): TOutput
}

/** An answer is the caller's to change: neither what a store keeps nor what a `resolve` holds may be in it. */
const copyOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copyOf)
  if (!isPlainObject(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const copy: { [name: string]: unknown } = { ...value }
  // Own already, so that a name like `__proto__` stays a name.
  for (const name of Object.keys(copy)) if (typeof copy[name] === 'object') copy[name] = copyOf(copy[name])
  return copy
}

/** The author's `parse` is the judge of what fits; until it has spoken the value may be anything. */
const parsedBy = <TOutput, TInput, TStored extends JsonValue>(
  definition: FieldTypeDefinition<TOutput, TInput, TStored>,
  value: unknown,
): TStored | undefined => {
  try {
    return definition.parse(value as TInput)
  } catch {
    return undefined
  }
}

const outputOf = <TOutput, TInput, TStored extends JsonValue>(
  definition: FieldTypeDefinition<TOutput, TInput, TStored>,
  stored: JsonValue,
): TOutput => copyOf(definition.serialize(stored as TStored)) as TOutput

/** What an answer carries of a stored value; nothing if it is not valid. A value that holds itself exhausts the stack. */
const checkedOutputOf = <TOutput, TInput, TStored extends JsonValue>(
  definition: FieldTypeDefinition<TOutput, TInput, TStored>,
  stored: unknown,
): { readonly output: TOutput } | undefined => {
  try {
    const kept = definition.parse(stored as TStored)
    return kept !== undefined && isSameJson(kept, stored) ? { output: outputOf(definition, kept) } : undefined
  } catch {
    return undefined
  }
}

const UNKNOWN: FieldTypeParts = { unknown: true }

const MEMBERS = {
  name: 'text',
  expected: 'text',
  parse: 'function',
  serialize: 'function',
} as const satisfies OptionKinds

/**
 * Defines a type of value, for fields declared by `field.of(type)`.
 *
 * @throws TypeError for an unknown or missing member.
 * @example
 * ```ts
 * import { defineFieldType, field } from 'kithgraph'
 *
 * const money = defineFieldType({
 *   name: 'money',
 *   expected: 'an amount as "12.50 EUR"',
 *   parse: (value: string) => (/^\d+\.\d\d [A-Z]{3}$/.test(value) ? value : undefined),
 *   serialize: stored => ({ amount: stored.slice(0, -4), currency: stored.slice(-3) }),
 * })
 * const price = field.of(money, { description: 'What it costs.' })
 * console.log(price.kind) // value
 * ```
 */
export const defineFieldType = <TOutput, TInput, TStored extends JsonValue>(
  definition: FieldTypeDefinition<TOutput, TInput, TStored>,
): CustomFieldType<TOutput, TInput> => {
  assertObject('defineFieldType', definition)
  assertKinds('defineFieldType', definition, MEMBERS)
  const missing = Object.keys(MEMBERS).find(member => !(member in definition))
  if (missing !== undefined) {
    const members = Object.keys(MEMBERS).join(', ')
    throw new TypeError(`defineFieldType: expected the members ${members}; ${missing} is missing`)
  }
  const { name, expected } = definition
  return Object.freeze({
    name,
    notation: 'json',
    plain: false,
    parts: UNKNOWN,
    parse(value: unknown) {
      const stored = parsedBy(definition, value)
      if (stored === undefined) throw new Mismatch(expected, value)
      return stored
    },
    isValid: (stored: unknown) => checkedOutputOf(definition, stored) !== undefined,
    serialize(stored: JsonValue | undefined, { checked }: SerializeContext) {
      if (stored === undefined) return undefined
      return checked ? checkedOutputOf(definition, stored)?.output : outputOf(definition, stored)
    },
  })
}
