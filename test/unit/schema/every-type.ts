import { defineFieldType, field } from 'kithgraph'
import type { Field } from '../../../src/schema/field.ts'
import type { FieldType } from '../../../src/schema/field-type.ts'

const typeOf = (declared: Field): FieldType => {
  if (declared.kind !== 'value') throw new Error(`a ${declared.kind} has no type of its own`)
  return declared.type
}

const money = defineFieldType({
  name: 'money',
  expected: 'an amount as "12.50 EUR"',
  parse: (value: string) => (/^\d+\.\d\d [A-Z]{3}$/.test(value) ? value : undefined),
  serialize: stored => ({ amount: stored.slice(0, -4), currency: stored.slice(-3) }),
})

/** A field type of each kind. */
export const TYPES = {
  string: typeOf(field.string()),
  numericString: typeOf(field.numericString()),
  bool: typeOf(field.bool()),
  int: typeOf(field.int()),
  float: typeOf(field.float()),
  url: typeOf(field.url()),
  datetime: typeOf(field.datetime()),
  unixtime: typeOf(field.unixtime()),
  birthday: typeOf(field.birthday()),
  ageRange: typeOf(field.ageRange()),
  picture: typeOf(field.picture()),
  enum: typeOf(field.enum(['red', 'green'])),
  list: typeOf(field.list(field.datetime())),
  map: typeOf(field.map(field.int())),
  object: typeOf(field.object({ width: field.int({ required: true }), unit: field.string() })),
  money: typeOf(field.of(money)),
}

export type Name = keyof typeof TYPES
