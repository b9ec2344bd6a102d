import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineFieldType } from '../../src/schema/define-field-type.ts'
import type { Field } from '../../src/schema/field.ts'
import { field } from '../../src/schema/field-builders.ts'
import { propertySettings } from './property-settings.ts'
import { birthday, date, datetime, picture, text, time, url } from './social-lines.ts'

const money = defineFieldType({
  name: 'money',
  expected: 'cents',
  parse: (value: number | string) => (typeof value === 'number' ? `${value}` : value),
  serialize: stored => stored,
})

/** Each field type, with all values that may be written to it. */
const TYPES: readonly (readonly [string, Field, Arbitrary<unknown>])[] = [
  ['string', field.string(), text],
  ['numeric string', field.numericString(), fc.stringMatching(/^-?[0-9]{1,31}(\.[0-9]{1,31})?$/)],
  ['bool', field.bool(), fc.boolean()],
  ['int', field.int(), fc.maxSafeInteger()],
  ['float', field.float(), fc.double({ noNaN: true, noDefaultInfinity: true })],
  ['url', field.url(), fc.oneof(url, fc.webUrl())],
  ['datetime', field.datetime(), fc.oneof(datetime, fc.date({ noInvalidDate: true }))],
  ['unixtime', field.unixtime(), time.map(time => Math.trunc(time / 1000))],
  ['date', field.date(), date],
  ['json', field.json(), fc.jsonValue().filter(value => value !== null)],
  ['birthday', field.birthday(), birthday],
  ['picture', field.picture(), picture],
  ['enum', field.enum(['calm', 'cross']), fc.constantFrom('calm', 'cross')],
  ['list', field.list(field.birthday()), fc.array(birthday)],
  ['map', field.map(field.datetime()), fc.dictionary(text, datetime)],
  [
    'object',
    field.object({ at: field.datetime(), of: field.picture() }),
    fc.record({ at: datetime, of: picture }, { requiredKeys: [] }),
  ],
  ['a custom type', field.of(money), fc.oneof(fc.integer(), fc.string())],
]

describe('a value of a field type after it is stored', () => {
  it.each(TYPES)('is valid, and stays the same if it is written again: %s', (_, declared, written) => {
    if (declared.kind !== 'value') throw new TypeError('expected a field with a value')
    const { type } = declared
    fc.assert(
      fc.property(written, value => {
        const stored = type.parse(value)
        expect(type.parse(stored)).toEqual(stored)
        expect(type.isValid(stored)).toBe(true)
        expect(type.parse(JSON.parse(JSON.stringify(stored)))).toEqual(JSON.parse(JSON.stringify(stored)))
      }),
      propertySettings(),
    )
  })
})
