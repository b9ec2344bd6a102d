import { defineFieldType, field } from 'kithgraph'
import type { Field } from '../../../src/schema/field.ts'
import type { FieldType } from '../../../src/schema/field-type.ts'

const fieldTypeOf = (declared: Field): FieldType => {
  if (declared.kind !== 'value') throw new Error(`a field of kind ${declared.kind} has no field type`)
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
  string: fieldTypeOf(field.string()),
  numericString: fieldTypeOf(field.numericString()),
  bool: fieldTypeOf(field.bool()),
  int: fieldTypeOf(field.int()),
  float: fieldTypeOf(field.float()),
  url: fieldTypeOf(field.url()),
  datetime: fieldTypeOf(field.datetime()),
  unixtime: fieldTypeOf(field.unixtime()),
  date: fieldTypeOf(field.date()),
  birthday: fieldTypeOf(field.birthday()),
  ageRange: fieldTypeOf(field.ageRange()),
  picture: fieldTypeOf(field.picture()),
  enum: fieldTypeOf(field.enum(['red', 'green'])),
  list: fieldTypeOf(field.list(field.datetime())),
  map: fieldTypeOf(field.map(field.int())),
  object: fieldTypeOf(field.object({ width: field.int({ required: true }), unit: field.string() })),
  json: fieldTypeOf(field.json()),
  money: fieldTypeOf(field.of(money)),
}

export type Name = keyof typeof TYPES
