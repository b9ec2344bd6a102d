import { describe, expect, it } from 'vitest'
import { isName } from '../../../src/base/names.ts'

describe('a name of a schema', () => {
  it.each(['name', 'a', 'age_range', 'v2', 'to_string', 'a_'])('may be %s', word => {
    expect(isName(word)).toBe(true)
  })

  it.each(['id', 'me', 'metadata', 'constructor', 'permissions', 'debug_token'])(
    'may not be the reserved word %s',
    word => {
      expect(isName(word)).toBe(false)
    },
  )

  it.each(['', '_a', '2a', 'Name', 'toString', 'first-name', 'a b', 'a.b', 'naïve', 'a\n'])(
    'may not be %o',
    word => {
      expect(isName(word)).toBe(false)
    },
  )

  it('may not be an inherited property of objects', () => {
    for (const word of Object.getOwnPropertyNames(Object.prototype)) expect(isName(word)).toBe(false)
  })
})
