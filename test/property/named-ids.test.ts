import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareIds, isIdOfKind, isNodeId } from '../../src/base/ids.ts'
import { namedId, parseNamedId } from '../../src/index.ts'
import { propertySettings } from './property-settings.ts'

const prefixes = fc.stringMatching(/^[a-z][a-z0-9_]{0,5}$/)
const parts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.string({ unit: fc.constantFrom(...'aZ09_-~.%/\u0000é€\u{1F600}\uFEFF'), maxLength: 5 }),
)
const keys = fc.array(parts, { minLength: 1, maxLength: 3 })
/** Texts that are nearly ids: most of them differ from an id in one character. */
const nearIds = fc
  .tuple(
    fc.constantFrom('a-', 'photo-', 'A-', '-', 'a'),
    fc.string({ unit: fc.constantFrom(...'aA0~.-c3eE8'), maxLength: 10 }),
  )
  .map(([prefix, key]) => prefix + key)

describe('a named id', () => {
  it('is parsed to the prefix and key that it was created from', () => {
    fc.assert(
      fc.property(prefixes, keys, (prefix, key) => {
        const id = namedId(prefix, ...key)
        expect(id).toMatch(/^[a-z][a-z0-9_]*-[A-Za-z0-9._~-]+$/)
        expect(parseNamedId(id)).toEqual({ prefix, key })
        expect(isNodeId(id) && isIdOfKind('named', id)).toBe(true)
      }),
      propertySettings(1000, 20_000),
    )
  })

  it('is the only text that is parsed to its prefix and key', () => {
    fc.assert(
      fc.property(nearIds, text => {
        const parsed = parseNamedId(text)
        if (parsed !== undefined) expect(namedId(parsed.prefix, ...parsed.key)).toBe(text)
        expect(isIdOfKind('named', text)).toBe(parsed !== undefined)
      }),
      propertySettings(5000, 100_000),
    )
  })

  it('is sorted by bytes, and digits by value', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(prefixes, keys)),
        fc.array(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n })),
        (named, numbers) => {
          const ids = named.map(([prefix, key]) => namedId(prefix, ...key))
          expect(ids.toSorted(compareIds)).toEqual(
            ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
          )
          expect(numbers.map(String).toSorted(compareIds)).toEqual(
            numbers.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String),
          )
        },
      ),
      propertySettings(300, 3000),
    )
  })

  it.each([
    'photo-',
    'photo',
    '-42',
    'Photo-42',
    '4photo-42',
    'photo-a b',
    'photo-.41',
    'photo-.C3.A8',
    'photo-.c3',
    'photo-a~',
    'photo-~a',
    'photo-a~~b',
    'photo-..',
    `photo-${'9'.repeat(191)}`,
    `${'p'.repeat(64)}-1`,
    'photo-42\n',
  ])('cannot be %o', text => {
    expect(parseNamedId(text)).toBeUndefined()
    expect(isNodeId(text)).toBe(false)
  })

  it('may have 190 characters of key and parts that are empty', () => {
    expect(parseNamedId(namedId('photo', '9'.repeat(190)))).toEqual({
      prefix: 'photo',
      key: ['9'.repeat(190)],
    })
    expect(namedId('page', 7, '')).toBe('page-7~.')
  })

  it.each([
    [
      () => namedId('Photo', 1),
      'namedId: "type" must be a name of a–z, 0–9 and _ that begins with a letter, of at most 63 characters; received "Photo"',
    ],
    [
      () => namedId('photo'),
      'namedId: "key[0]" must be a well-formed string, a safe integer or a bigint; received undefined',
    ],
    [
      () => namedId('photo', 1, 0.5),
      'namedId: "key[1]" must be a well-formed string, a safe integer or a bigint; received 0.5',
    ],
    [() => namedId('photo', '\uD800'), 'namedId: "key[0]" must be a well-formed string'],
    [
      () => namedId('photo', 'é'.repeat(32)),
      'namedId: "key" must be at most 190 characters in an id; received 192 characters',
    ],
  ])('throws a usage error for a prefix or key that cannot be in an id (%#)', (create, message) => {
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
  })
})
