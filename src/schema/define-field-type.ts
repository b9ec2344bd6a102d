import type { JsonValue } from '../base/json.ts'
import { assertKinds, assertObject, type OptionKinds } from '../base/options.ts'
import { type CustomFieldType, type FieldTypeParts, Mismatch } from './field-type.ts'

/** A type of value of the schema's author. */
export type FieldTypeDefinition<TOutput, TInput, TStored extends JsonValue> = {
  /** The name in metadata. */
  readonly name: string
  /** What a value must be, for the fault of a write that gives something else: `'an amount as "12.50 EUR"'`. */
  readonly expected: string
  /** Makes of what a write gives what the store keeps; undefined refuses it. Takes a stored value again, unchanged. */
  parse(value: TInput | TStored): TStored | undefined
  /** Makes of a stored value what an answer carries. */
  serialize(stored: TStored): TOutput
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
  if (missing !== undefined) throw new TypeError(`defineFieldType: expected ${missing}, which is missing`)
  const { name, expected } = definition
  return Object.freeze({
    name,
    notation: 'json',
    plain: false,
    parts: UNKNOWN,
    parse(value: unknown) {
      // The author's `parse` is the judge of what fits; until it has spoken the value may be anything.
      const stored = definition.parse(value as TInput)
      if (stored === undefined) throw new Mismatch(expected, value)
      return stored
    },
    serialize: (stored: JsonValue | undefined) =>
      stored === undefined ? undefined : definition.serialize(stored as TStored),
  })
}
