import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeNodes,
  decodeReverseEntry,
  encodeNode,
  encodeReverseEntry,
  hasDataSuffix,
  parseGeneration,
  parseMember,
  parseMemberGeneration,
  toMember,
  toMemberWithData,
  withoutDataSuffix,
} from '../../../src/stores/redis/encoding.ts'
import { RedisKeys } from '../../../src/stores/redis/redis-keys.ts'

const id = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String)
/** Text with the characters that keys contain. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('{', '}', ' ', 'e', 'n', '1', '2', '\u0000', '😀') }),
  fc.string({ unit: 'grapheme' }),
)
const generation = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 0, max: 10 ** 15 }).map(time => `${10 ** 15 + time}`),
)
const prefix = text.map(text => text.replaceAll('{', ''))
const tuple = fc.oneof(
  fc.tuple(
    prefix,
    fc.constantFrom(
      'node',
      'listNames',
      'reverseEntries',
      'lastGeneration',
      'numbers',
      'deletedNumbers',
      'recoveryNotes',
      'pendingPurges',
    ),
    id,
  ),
  fc.tuple(prefix, fc.constantFrom('list', 'edgeData'), id, text),
  fc.tuple(prefix, fc.constantFrom('deletedListNames', 'deletedReverseEntries'), id, generation),
  fc.tuple(prefix, fc.constant('deletedList'), id, generation, text),
  fc.tuple(prefix, fc.constantFrom('token', 'batch'), text),
  fc.tuple(prefix, fc.constant('batchStep'), id, fc.constantFrom('c', 'n', 'e'), text),
)
type Tuple = typeof tuple extends fc.Arbitrary<infer T> ? T : never

const keyOf = ([prefix, ...rest]: Tuple): string => {
  const keys = new RedisKeys(prefix)
  switch (rest[0]) {
    case 'list':
    case 'edgeData':
    case 'deletedListNames':
    case 'deletedReverseEntries':
      return keys[rest[0]](rest[1], rest[2])
    case 'deletedList':
      return keys.deletedList(rest[1], rest[2], rest[3])
    case 'batchStep':
      return keys.batchStep(rest[1], rest[2], rest[3])
    case 'token':
    case 'batch':
      return keys[rest[0]](rest[1])
    default:
      return keys[rest[0]](rest[1])
  }
}

describe('the keys of a Redis store', () => {
  it('are different for different nodes, lists, tokens and batches, whatever their ids and names', () => {
    fc.assert(
      fc.property(tuple, tuple, (one, other) => {
        expect(keyOf(one) === keyOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
      { numRuns: 2000 },
    )
  })

  it('consist of the prefix, the id and the kind of the record', () => {
    const keys = new RedisKeys('social:')
    expect([keys.node('7'), keys.list('7', 'likes'), keys.token('abc')]).toEqual([
      'social:{7}n',
      'social:{7}elikes',
      'social:{}abc',
    ])
  })
})

describe('the members of a list in Redis', () => {
  it('are sorted by their ids as numbers and decoded to these ids and generations', () => {
    const form = fc.record({ id, generation, hasData: fc.boolean() })
    type Form = typeof form extends fc.Arbitrary<infer T> ? T : never
    const toText = ({ id, generation, hasData }: Form) =>
      hasData ? toMemberWithData(toMember(id, generation)) : toMember(id, generation)
    fc.assert(
      fc.property(form, form, (one, other) => {
        const text = toText(one)
        if (one.id !== other.id) expect(text < toText(other)).toBe(BigInt(one.id) < BigInt(other.id))
        expect(parseMember(text)).toBe(one.id)
        expect(parseMemberGeneration(text)).toBe(one.generation)
        expect(hasDataSuffix(text)).toBe(one.hasData)
        expect(withoutDataSuffix(text)).toBe(toMember(one.id, one.generation))
      }),
    )
  })
})

describe('an entry in the record of the edges to a node', () => {
  it('is decoded to the original source, generation and name, whatever the name is', () => {
    fc.assert(
      fc.property(id, generation, text, (source, generation, name) => {
        const entry = { source, generation, name }
        expect(decodeReverseEntry(encodeReverseEntry(entry))).toEqual(entry)
      }),
    )
  })
})

const ANA = { id: '1', type: 'user', fields: { name: 'Ana "the, [first]"', tags: ['a', { b: null }] } }
const BEN = { id: '2', type: 'page', fields: {} }

describe('the node records of one Redis reply', () => {
  it('are decoded to the original nodes, and missing records to undefined', () => {
    const texts = [encodeNode(ANA), null, encodeNode(BEN, '1763888888123456')]
    expect(decodeNodes(['1', '3', '2'], texts)).toEqual([ANA, undefined, BEN])
    expect(parseGeneration(encodeNode(ANA))).toBe('')
    expect(parseGeneration(encodeNode(BEN, '1763888888123456'))).toBe('1763888888123456')
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
