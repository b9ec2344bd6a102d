import { describe, expect, it } from 'vitest'
import { faultOf } from '../abuse/fault-of.ts'
import { BAD, itemOf, open, storedAs } from './bad-items.ts'

describe("checkValues: 'error'", () => {
  it.each(BAD)('fails the call, and shows the value in the cause alone: %s %j', async (name, stored) => {
    const { get, badValues } = open([itemOf({ [storedAs(name)]: stored }), itemOf({}, '2')], [], {
      checkValues: 'error',
    })
    const fault = await faultOf(get(name))
    expect(fault.toJSON().error).toMatchObject({
      message: `(#1) The value of field ${name} of item is not valid`,
      code: 1,
      error_data: { reason: 'internal' },
    })
    expect(String(fault.cause)).toMatch(new RegExp(`^TypeError: item.${name}: expected .+; received `))
    expect(badValues()).toEqual([{ type: 'item', field: name, count: 1 }])
  })

  it.each([
    ['size', '5', 'an integer of at most 2^53 - 1; received "5"'],
    ['made', '2020-01-01', 'integer milliseconds since the epoch; received "2020-01-01"'],
    ['color', 'blue', 'one of red, green; received "blue"'],
    ['tags', ['a', 1], 'well-formed text at [1]; received 1'],
    ['tags', 'a', 'a list; received "a"'],
    ['counts', { a: 1, b: '2' }, 'an integer of at most 2^53 - 1 at .b; received "2"'],
    ['frame', { color: 'red' }, 'an integer of at most 2^53 - 1 at .width; received undefined'],
    ['even', 3, 'an even number; received 3'],
  ])('says what was expected, and of which part: %s %j', async (name, stored, words) => {
    const { get } = open([itemOf({ [name]: stored })], [], { checkValues: 'error' })
    expect(String((await faultOf(get(name))).cause)).toBe(`TypeError: item.${name}: expected ${words}`)
  })

  it('accepts what would not be returned', async () => {
    const { get } = open([itemOf({ size: '5', secret: '5', own: null })], [], { checkValues: 'error' })
    expect(await get('own,secret')).toEqual({ id: '1' })
  })
})

describe("checkValues: 'off'", () => {
  it.each([
    ['size', '5', '5'],
    ['color', 'blue', 'blue'],
    ['size', [1], undefined],
    ['made', '2020', undefined],
    ['tags', ['a', 1, 'b'], ['a', 'b']],
    ['counts', { a: 1, b: '2' }, { a: 1 }],
    ['frame', { color: 'red' }, { color: 'red' }],
    ['even', 3, { half: 1.5 }],
    ['owner', 2, undefined],
  ])('returns what is stored as it is, and reports nothing: %s %j', async (name, stored, returned) => {
    const { get, badValues } = open([itemOf({ [name]: stored }), itemOf({}, '2')], [], { checkValues: 'off' })
    const value = returned === undefined ? {} : { [name]: returned }
    expect(await get(name, { debug: 'all' })).toEqual({ ...value, id: '1', __debug__: { messages: [] } })
    expect(badValues()).toEqual([])
  })
})
