import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeReverse,
  encodeReverse,
  fromMember,
  isMarked,
  Keys,
  toMarkedMember,
  toMember,
} from '../../../src/stores/redis/keys.ts'

const id = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String)
/** Text that has what keys are made of. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('{', '}', ' ', 'e', 'n', '1', '2', '\u0000', '😀') }),
  fc.string({ unit: 'grapheme' }),
)
const prefix = text.map(text => text.replaceAll('{', ''))
const tuple = fc.oneof(
  fc.tuple(prefix, fc.constantFrom('node', 'names', 'reverse'), id),
  fc.tuple(prefix, fc.constantFrom('list', 'deadList', 'data'), id, text),
  fc.tuple(prefix, fc.constant('token'), text),
)
type Tuple = typeof tuple extends fc.Arbitrary<infer T> ? T : never

const keyOf = ([prefix, ...rest]: Tuple): string => {
  const keys = new Keys(prefix)
  switch (rest[0]) {
    case 'node':
      return keys.node(rest[1])
    case 'names':
      return keys.names(rest[1])
    case 'reverse':
      return keys.reverse(rest[1])
    case 'list':
      return keys.list(rest[1], rest[2])
    case 'deadList':
      return keys.deadList(rest[1], rest[2])
    case 'data':
      return keys.data(rest[1], rest[2])
    case 'token':
      return keys.token(rest[1])
  }
}

describe('the keys of a store', () => {
  it('are as different as what they stand for, whatever text that is', () => {
    fc.assert(
      fc.property(tuple, tuple, (one, other) => {
        expect(keyOf(one) === keyOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
      { numRuns: 2000 },
    )
  })

  it('write a tuple of a node, a list and a token each in one way', () => {
    const keys = new Keys('social:')
    expect([keys.node('7'), keys.list('7', 'likes'), keys.token('abc')]).toEqual([
      'social:{7}n',
      'social:{7}elikes',
      'social:{}abc',
    ])
  })
})

describe('the members of a list', () => {
  it('are ordered as texts as their ids are as numbers, and give them back, marked or not', () => {
    const form = fc.constantFrom(toMember, toMarkedMember)
    fc.assert(
      fc.property(id, form, id, form, (one, toOne, other, toOther) => {
        if (one !== other) expect(toOne(one) < toOther(other)).toBe(BigInt(one) < BigInt(other))
        expect(fromMember(toOne(one))).toBe(one)
        expect(isMarked(toOne(one))).toBe(toOne === toMarkedMember)
      }),
    )
  })
})

describe('what a node remembers of the edges to it', () => {
  it('is written so that it can be read, whatever the name', () => {
    fc.assert(
      fc.property(id, text, (source, name) => {
        expect(decodeReverse(encodeReverse({ source, name }))).toEqual({ source, name })
      }),
    )
  })
})
