import { describe, expect, it } from 'vitest'
import { assertOptions } from '../../../src/base/options.ts'

const check = (options: unknown) => () => assertOptions('createThing', options, ['size', 'color'])

describe('options', () => {
  it.each([undefined, {}, { size: 1 }, { size: undefined, color: 'red' }])('%o are taken', options => {
    expect(check(options)).not.toThrow()
  })

  it.each([
    [{ sise: 1 }, 'createThing: unknown option "sise"; expected one of size, color'],
    [JSON.parse('{"__proto__":1}'), 'createThing: unknown option "__proto__"; expected one of size, color'],
    [null, 'createThing: expected options as an object, came null'],
    ['red', 'createThing: expected options as an object, came "red"'],
    [[], 'createThing: expected options as an object, came a list of 0'],
    [() => 1, 'createThing: expected options as an object, came a function'],
  ])('%o are refused', (options, message) => {
    expect(check(options)).toThrow(new TypeError(message))
  })
})
