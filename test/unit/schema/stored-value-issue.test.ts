import { defineFieldType } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import type { FieldType } from '../../../src/schema/field-type.ts'
import { enumType, intType, stringType } from '../../../src/schema/scalar-types.ts'
import { findStoredValueIssue } from '../../../src/schema/stored-value-issue.ts'
import { listType, mapType, objectType } from '../../../src/schema/structured-types.ts'
import { ageRangeType, datetimeType, unixtimeType } from '../../../src/schema/time-types.ts'

const halves = defineFieldType({
  name: 'halves',
  expected: 'a number',
  parse: (value: number | string) => (Number.isNaN(Number(value)) ? undefined : Number(value)),
  serialize: stored => stored / 2,
})
const sizes = listType(
  objectType(
    new Map([
      ['width', { type: intType, required: true }],
      ['made', { type: datetimeType, required: false }],
    ]),
  ),
)

describe('the issue of an invalid stored value', () => {
  it.each<[FieldType, unknown, expected: string, path: string]>([
    [intType, '5', 'an integer of at most 2^53 - 1', ''],
    [enumType(['calm', 'merry']), 'cross', 'one of "calm", "merry"', ''],
    [datetimeType, '2020-01-01', 'integer milliseconds since the epoch', ''],
    [unixtimeType, '2020-01-01', 'integer seconds since the epoch', ''],
    [ageRangeType, { min: 3 }, 'a birthday', ''],
    [halves, 'x', 'a number', ''],
    [halves, '4', 'the stored form of halves', ''],
    [listType(stringType), 'a', 'an array', ''],
    [listType(stringType), ['a', null], 'a well-formed string', '[1]'],
    [mapType(listType(intType)), { a: [1], b: [1, 0.5] }, 'an integer of at most 2^53 - 1', '.b[1]'],
    [mapType(intType), { '\ud800': 1 }, 'an object with well-formed names', ''],
    [sizes, [{ width: 1 }, { made: 5 }], 'an integer of at most 2^53 - 1', '[1].width'],
    [sizes, [{ width: 1, made: 'x' }], 'integer milliseconds since the epoch', '[0].made'],
    [sizes, [{ width: 1, made: null }, 5], 'an object with width, made', '[1]'],
  ])(
    'contains the expected stored form and the path of the first invalid part: case %#, $1',
    (type, stored, expected, path) => {
      expect(type.isValid(stored)).toBe(false)
      expect(findStoredValueIssue(type, stored)).toMatchObject({ expected, path })
    },
  )
})
