import { isNonArrayObject, isSameJson, type JsonValue } from '../base/json.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import {
  type CustomFieldType,
  type FieldTypeParts,
  type SerializeContext,
  ValidationIssue,
} from './field-type.ts'

/** The definition of a custom field type. */
export type FieldTypeDefinition<TOutput, TInput, TStored extends JsonValue> = {
  /** The name of the type in metadata. */
  readonly name: string
  /** The description of a valid value, for the error of a write: `'an amount as "12.50 EUR"'`. */
  readonly expected: string
  /**
   * Converts a written value to its stored form, and returns a stored value unchanged. At run time, the value
   * may have any type. To reject the value, throw an error or return `undefined`. When a stored value is
   * read, it is valid if `parse` returns the same JSON.
   */
  parse(value: TInput | TStored): TStored | undefined
  /**
   * Converts a stored value to its form in a result. Plain objects and arrays in the result are copied. If
   * this function throws, the stored value is not valid, as if `parse` had rejected it. If this function
   * returns `undefined`, the field is left out.
   */
  serialize(stored: TStored): TOutput
}

/**
 * Copies a value. Callers may change results, so a result must not share objects with a store or a `resolve`.
 */
const copyValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copyValue)
  if (!isNonArrayObject(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const copy: { [name: string]: unknown } = { ...value }
  // Each name is already an own property, so even `__proto__` is set like any other name.
  for (const name of Object.keys(copy)) if (typeof copy[name] === 'object') copy[name] = copyValue(copy[name])
  return copy
}

/** Calls the author's `parse` with a value of any type. Returns `undefined` if `parse` rejects the value. */
const tryParse = <TOutput, TInput, TStored extends JsonValue>(
  definition: FieldTypeDefinition<TOutput, TInput, TStored>,
  value: unknown,
): TStored | undefined => {
  try {
    return definition.parse(value as TInput)
  } catch {
    return undefined
  }
}

const serializeCopy = <TOutput, TInput, TStored extends JsonValue>(
  definition: FieldTypeDefinition<TOutput, TInput, TStored>,
  stored: JsonValue,
): TOutput => copyValue(definition.serialize(stored as TStored)) as TOutput

/**
 * Serializes a stored value. Returns `undefined` if the value is not valid. A value that contains itself
 * causes a stack overflow, which is caught.
 */
const trySerialize = <TOutput, TInput, TStored extends JsonValue>(
  definition: FieldTypeDefinition<TOutput, TInput, TStored>,
  stored: unknown,
): { readonly output: TOutput } | undefined => {
  try {
    const storedForm = definition.parse(stored as TStored)
    return storedForm !== undefined && isSameJson(storedForm, stored)
      ? { output: serializeCopy(definition, storedForm) }
      : undefined
  } catch {
    return undefined
  }
}

const UNKNOWN_PARTS: FieldTypeParts = { unknown: true }

const DEFINITION_OPTION_KINDS = {
  name: 'text',
  expected: 'text',
  parse: 'function',
  serialize: 'function',
} as const satisfies OptionKinds

/**
 * Defines a field type, for fields that `field.of(type)` declares.
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
  assertObject('defineFieldType', definition, 'definition')
  assertOptionKinds('defineFieldType', definition, DEFINITION_OPTION_KINDS)
  const missingMember = Object.keys(DEFINITION_OPTION_KINDS).find(member => !(member in definition))
  if (missingMember !== undefined) {
    throw usageError('defineFieldType', missingMember, 'given', 'undefined')
  }
  const { name, expected } = definition
  return Object.freeze({
    name,
    notation: 'json',
    serializesAsIs: false,
    parts: UNKNOWN_PARTS,
    parse(value: unknown) {
      const stored = tryParse(definition, value)
      if (stored === undefined) throw new ValidationIssue(expected, value)
      return stored
    },
    isValid: (stored: unknown) => trySerialize(definition, stored) !== undefined,
    serialize(stored: JsonValue | undefined, { isStrict }: SerializeContext) {
      if (stored === undefined) return undefined
      return isStrict ? trySerialize(definition, stored)?.output : serializeCopy(definition, stored)
    },
  })
}
