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
