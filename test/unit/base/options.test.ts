import { describe, expect, it } from 'vitest'
import { assertKnownOptions } from '../../../src/base/options.ts'

const check = (options: unknown) => () => assertKnownOptions('createThing', options, ['size', 'color'])

describe('assertKnownOptions', () => {
  it.each([undefined, {}, { size: 1 }, { size: undefined, color: 'red' }])(
    'accepts absent and known options: %o',
    options => {
      expect(check(options)).not.toThrow()
    },
  )

  it.each([
    [{ sise: 1 }, 'createThing: options must be one of "size", "color"; received "sise"; did you mean size?'],
    [
      JSON.parse('{"__proto__":1}'),
      'createThing: options must be one of "size", "color"; received "__proto__"',
    ],
    [null, 'createThing: "options" must be an object; received null'],
    ['red', 'createThing: "options" must be an object; received "red"'],
    [[], 'createThing: "options" must be an object; received an array of length 0'],
    [() => 1, 'createThing: "options" must be an object; received a function'],
  ])(
    'rejects unknown options, and values that are not an object, with a usage error: %o',
    (options, message) => {
      expect(check(options)).toThrow(new TypeError(message))
    },
  )
})
