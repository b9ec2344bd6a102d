import { describe, expect, it } from 'vitest'
import { decodeNodes, encodeNode } from '../../../src/stores/redis/records.ts'

const ANA = { id: '1', type: 'user', fields: { name: 'Ana "the, [first]"', tags: ['a', { b: null }] } }
const BEN = { id: '2', type: 'page', fields: {} }

describe('the node records of one Redis reply', () => {
  it('are decoded to the original nodes, and missing records to undefined', () => {
    const texts = [encodeNode(ANA), null, encodeNode(BEN)]
    expect(decodeNodes(['1', '3', '2'], texts)).toEqual([ANA, undefined, BEN])
    expect(decodeNodes([], [])).toEqual([])
  })

  it('are rejected if one record contains values of another, even if the number of values is correct', () => {
    expect(() => decodeNodes(['1', '2'], ['["user",{"a":1},"page"]', '[{"secret":2}]'])).toThrow()
    expect(() => decodeNodes(['1', '2'], ['["user",{},0,"page",{}]', '[1,1]'])).toThrow()
  })

  it.each(['["user",{},"page",{}]', '["user"]', '[]', '[{},"user"]'])(
    'are rejected if one record is not a type and its fields: %s',
    text => {
      expect(() => decodeNodes(['3', '2'], [text, encodeNode(BEN)])).toThrow()
    },
  )
})
