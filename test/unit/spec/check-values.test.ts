import { describe, expect, it } from 'vitest'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { BAD_VALUES, createItem, openItems, storedFieldOf } from './bad-items.ts'

describe("a bad value with checkValues: 'error'", () => {
  it.each(BAD_VALUES)('fails the call and is shown only in the cause: %s %j', async (name, stored) => {
    const { get, badValues } = openItems(
      [createItem({ [storedFieldOf(name)]: stored }), createItem({}, '2')],
      [],
      {
        checkValues: 'error',
      },
    )
    const error = await expectGraphError(get(name))
    expect(error.toJSON().error).toMatchObject({
      message: `(#1) The value of field ${name} of item is not valid`,
      code: 1,
      error_data: { reason: 'internal_error' },
    })
    expect(String(error.cause)).toMatch(
      new RegExp(`^TypeError: item.${name}: the value must be .+; received `),
    )
    expect(badValues()).toEqual([{ type: 'item', field: name, count: 1 }])
  })

  it.each([
    ['size', '5', 'an integer of at most 2^53 - 1; received "5"'],
    ['made', '2020-01-01', 'integer milliseconds since the epoch; received "2020-01-01"'],
    ['color', 'blue', 'one of "red", "green"; received "blue"'],
    ['tags', ['a', 1], 'a well-formed string at [1]; received 1'],
    ['tags', 'a', 'an array; received "a"'],
    ['counts', { a: 1, b: '2' }, 'an integer of at most 2^53 - 1 at .b; received "2"'],
    ['frame', { color: 'red' }, 'an integer of at most 2^53 - 1 at .width; received undefined'],
    ['even', 3, 'an even number; received 3'],
  ])('gives a cause with the expected value and the bad part: %s %j', async (name, stored, words) => {
    const { get } = openItems([createItem({ [name]: stored })], [], { checkValues: 'error' })
    expect(String((await expectGraphError(get(name))).cause)).toBe(
      `TypeError: item.${name}: the value must be ${words}`,
    )
  })

  it('is ignored if it is not returned', async () => {
    const { get } = openItems([createItem({ size: '5', secret: '5', own: null })], [], {
      checkValues: 'error',
    })
    expect(await get('own,secret')).toEqual({ id: '1' })
  })
})

describe("a bad value with checkValues: 'off'", () => {
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
  ])('is formatted without a check and not reported: %s %j', async (name, stored, returned) => {
    const { get, badValues } = openItems([createItem({ [name]: stored }), createItem({}, '2')], [], {
      checkValues: 'off',
    })
    const value = returned === undefined ? {} : { [name]: returned }
    expect(await get(name, { debug: 'all' })).toEqual({ ...value, id: '1', __debug__: { messages: [] } })
    expect(badValues()).toEqual([])
  })
})
