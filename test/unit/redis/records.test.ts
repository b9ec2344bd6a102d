import { describe, expect, it } from 'vitest'
import { decodeNodes, encodeNode } from '../../../src/stores/redis/records.ts'

const ANA = { id: '1', type: 'user', fields: { name: 'Ana "the, [first]"', tags: ['a', { b: null }] } }
const BEN = { id: '2', type: 'page', fields: {} }

describe('the records of a round', () => {
  it('come back as they were written, those that are missing in their places', () => {
    const texts = [encodeNode(ANA), null, encodeNode(BEN)]
    expect(decodeNodes(['1', '3', '2'], texts)).toEqual([ANA, undefined, BEN])
    expect(decodeNodes([], [])).toEqual([])
  })

  it('are refused where one lends another its fields, though their values come to as many', () => {
    expect(() => decodeNodes(['1', '2'], ['["user",{"a":1},"page"]', '[{"secret":2}]'])).toThrow()
    expect(() => decodeNodes(['1', '2'], ['["user",{},0,"page",{}]', '[1,1]'])).toThrow()
  })

  it.each(['["user",{},"page",{}]', '["user"]', '[]', '[{},"user"]'])(
    'are refused where one is no pair: %s',
    text => {
      expect(() => decodeNodes(['3', '2'], [text, encodeNode(BEN)])).toThrow()
    },
  )
})
