import { type AppIds, type AppIdsOptions, createAppIds } from 'kithgraph/app-ids'
import { describe, expect, it } from 'vitest'
import { isPublicId } from '../../../src/access/app-ids/app-ids.ts'
import { CachedAppIdMapper } from '../../../src/access/app-ids/cached-app-id-mapper.ts'
import { createDigitCipher } from '../../../src/access/app-ids/digit-cipher.ts'

const FIRST = 'the first secret of all'
const SECOND = 'the second secret of all'
const LARGEST = '9223372036854775807'

const oldIds = createAppIds({ secrets: { 1: FIRST }, current: 1 })
const newIds = createAppIds({ secrets: { 1: FIRST, 2: SECOND }, current: 2 })
const chess = oldIds.forApp('chess')

const hexToBytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], byte => Number.parseInt(byte, 16))

/** Returns the milliseconds that a call takes. */
const measureTime = (call: () => void): number => {
  const started = performance.now()
  call()
  return performance.now() - started
}

describe('a public id', () => {
  it.each(['1', '9', '10', '1000000000000000000', LARGEST])('is mapped back to the raw id: %s', id => {
    expect(chess.toRaw(chess.toPublic(id))).toBe(id)
  })

  it('has 20 digits and begins with the number of the current key', () => {
    expect(chess.toPublic('4')).toMatch(/^1[0-9]{19}$/)
    expect(newIds.forApp('chess').toPublic('4')).toMatch(/^2[0-9]{19}$/)
    expect(isPublicId(chess.toPublic('4'))).toBe(true)
  })

  it('is the same in every process that has the same secret', () => {
    const elsewhere = createAppIds({ secrets: { 1: FIRST }, current: 1 })
    expect(elsewhere.forApp('chess').toPublic('4')).toBe(chess.toPublic('4'))
    // The id is a literal, because a changed derivation would break every id that an app has stored.
    expect(chess.toPublic('4')).toBe('12094395976610042158')
  })

  it('does not map to the same node for another app', () => {
    const calendar = oldIds.forApp('calendar')
    expect(calendar.toPublic('4')).not.toBe(chess.toPublic('4'))
    expect(calendar.toRaw(chess.toPublic('4'))).not.toBe('4')
  })

  it('does not map to the same node with another secret', () => {
    const other = createAppIds({ secrets: { 1: SECOND }, current: 1 }).forApp('chess')
    expect(other.toRaw(chess.toPublic('4'))).not.toBe('4')
  })

  it('differs between apps, even if their names are long or inherited properties of objects', () => {
    const apps = ['constructor', '__proto__', 'a'.repeat(1000), 'a'.repeat(1001), 'ä', 'a']
    expect(new Set(apps.map(app => oldIds.forApp(app).toPublic('4'))).size).toBe(apps.length)
  })
})

describe('public ids after a change of the key', () => {
  const before = chess.toPublic('4')

  it('map to the same node if the old key encrypted them, while new ids use the new key', () => {
    const rotated = newIds.forApp('chess')
    expect(rotated.toRaw(before)).toBe('4')
    expect(rotated.toPublic('4')).not.toBe(before)
    expect(rotated.toRaw(rotated.toPublic('4'))).toBe('4')
  })

  it('map to no node if their key is removed', () => {
    const later = createAppIds({ secrets: { 2: SECOND }, current: 2 })
    expect(later.forApp('chess').toRaw(before)).toBeUndefined()
  })

  it('map to no node if their key is unknown', () => {
    expect(chess.toRaw(newIds.forApp('chess').toPublic('4'))).toBeUndefined()
  })
})

describe('a value that is not a public id', () => {
  const digits = chess.toPublic('4')
  it.each([
    '',
    '4',
    LARGEST,
    'me',
    digits.slice(1),
    `${digits}0`,
    ` ${digits}`,
    `${digits}\n`,
    `0${digits.slice(1)}`,
    `+${digits.slice(1)}`,
    `${digits.slice(0, -1)}.`,
    `${digits.slice(0, -1)}٤`,
    `${digits.slice(0, -1)}４`,
    [...digits].map(digit => String.fromCodePoint(0x1d7ce + Number(digit))).join(''),
  ])('maps to no node: %o', text => {
    expect(chess.toRaw(text)).toBeUndefined()
    expect(isPublicId(text)).toBe(false)
  })

  it.each([[undefined], [null], [4], [1e19], [[digits]], [{ toString: () => digits }]])(
    'is rejected if it is not text: %o',
    value => {
      expect(isPublicId(value)).toBe(false)
    },
  )

  it('maps to no node within two seconds, however long it is', () => {
    for (const text of ['4'.repeat(1_000_000), `${digits}${' '.repeat(1_000_000)}`, '\0'.repeat(1_000_000)]) {
      expect(measureTime(() => expect(chess.toRaw(text)).toBeUndefined())).toBeLessThan(2000)
    }
  })

  it('maps to no node if it has 20 digits that decrypt to an invalid id', () => {
    const forged = Array.from({ length: 200 }, (_, index) => `1${String(index).padStart(19, '0')}`)
    const raw = forged.map(text => chess.toRaw(text))
    expect(raw).toContain(undefined)
    for (const [index, id] of raw.entries())
      if (id !== undefined) expect(chess.toPublic(id)).toBe(forged[index])
  })
})

describe('the cache of public ids', () => {
  /** Creates a mapper with a fast cipher whose calls are counted. */
  const createCountingMapper = () => {
    let cipherCalls = 0
    const mirror = (digits: string): string => {
      cipherCalls++
      return [...digits].reverse().join('')
    }
    const [first, second] = ['1', '2'].map(keyDigit => ({
      keyDigit,
      encrypt: (id: string) => keyDigit + mirror(id.padStart(19, '0')),
      decrypt: (publicId: string) => mirror(publicId.slice(1)).replace(/^0+/, ''),
    }))
    if (first === undefined || second === undefined) throw new Error('two keys were made')
    const ids = new CachedAppIdMapper(second, [first])
    const countCipherCalls = (call: () => void): number => {
      const before = cipherCalls
      call()
      return cipherCalls - before
    }
    return { ids, countCipherCalls }
  }
  const given = Array.from({ length: 1000 }, (_, index) => `${index + 1}`)
  const forged = Array.from({ length: 100_000 }, (_, index) => `2${index + 100_000}`.padEnd(20, '1'))

  it('maps recent ids in both directions without the cipher, even ids that an old key encrypted', () => {
    const { ids, countCipherCalls } = createCountingMapper()
    const publicIds = given.map(id => ids.toPublic(id))
    const all = [...publicIds, ...publicIds.map(id => `1${id.slice(1)}`)]
    expect(countCipherCalls(() => all.map(id => ids.toRaw(id)))).toBe(all.length)
    expect(countCipherCalls(() => all.map(id => ids.toRaw(id)))).toBe(0)
    expect(countCipherCalls(() => given.map(id => ids.toPublic(id)))).toBe(0)
  })

  it('keeps its entries even if many forged ids are looked up', () => {
    const { ids, countCipherCalls } = createCountingMapper()
    const publicIds = given.map(id => ids.toPublic(id))
    for (const id of publicIds) ids.toRaw(id)
    expect(forged.filter(text => ids.toRaw(text) !== undefined).length).toBe(forged.length)
    expect(countCipherCalls(() => given.map(id => ids.toPublic(id)))).toBe(0)
    expect(countCipherCalls(() => publicIds.map(id => ids.toRaw(id)))).toBe(0)
  })

  it('drops the id that was used longest ago', () => {
    const { ids, countCipherCalls } = createCountingMapper()
    ids.toPublic('1')
    for (let id = 2; id <= 20_000; id++) ids.toPublic(`${id}`)
    expect(countCipherCalls(() => ids.toPublic('20000'))).toBe(0)
    expect(countCipherCalls(() => ids.toPublic('1'))).toBe(1)
  })
})

describe('the digit cipher', () => {
  // The samples 1 and 7 of NIST for FF1, which have no tweak: keys of 128 and of 256 bits.
  it.each([
    ['2b7e151628aed2a6abf7158809cf4f3c', '0123456789', '2433477484'],
    ['2b7e151628aed2a6abf7158809cf4f3cef4359d8d580aa4f7f036d6f04fc6a94', '0123456789', '6657667009'],
  ])('encrypts and decrypts the samples of NIST for FF1: key %s, text %s', (key, plain, encrypted) => {
    const cipher = createDigitCipher(hexToBytes(key))
    expect(cipher.encrypt(plain)).toBe(encrypted)
    expect(cipher.decrypt(encrypted)).toBe(plain)
  })
})

describe('createAppIds', () => {
  const make = (options: unknown): AppIds => createAppIds(options as AppIdsOptions)

  it.each<[unknown, string]>([
    [undefined, 'createAppIds: "options" must be an object; received undefined'],
    [
      { secrets: { 1: FIRST }, current: 1, app: 'chess' },
      'createAppIds: options must be one of "secrets", "current"; received "app"',
    ],
    [
      { current: 1 },
      'createAppIds: "secrets" must be an object with at least one secret; received undefined',
    ],
    [
      { secrets: {}, current: 1 },
      'createAppIds: "secrets" must be an object with at least one secret; received an empty object',
    ],
    [
      { secrets: [FIRST], current: 0 },
      'createAppIds: "secrets" must be an object; received an array of length 1',
    ],
    [
      { secrets: { 0: FIRST }, current: 0 },
      'createAppIds: "secrets" must be an object with keys from 1 to 9; received the key "0"',
    ],
    [
      { secrets: { 10: FIRST }, current: 10 },
      'createAppIds: "secrets" must be an object with keys from 1 to 9; received the key "10"',
    ],
    [
      { secrets: { 1: FIRST }, current: 2 },
      'createAppIds: "current" must be the number of a secret: 1; received 2',
    ],
    [
      { secrets: { 1: FIRST }, current: '1' },
      'createAppIds: "current" must be the number of a secret: 1; received "1"',
    ],
    [
      { secrets: { 1: 'fifteen letters' }, current: 1 },
      'createAppIds: "secrets.1" must be a string of at least 16 characters; received a string of 15 characters',
    ],
    [
      { secrets: { 1: FIRST, 2: undefined }, current: 1 },
      'createAppIds: "secrets.2" must be a string of at least 16 characters; received a value of type undefined',
    ],
  ])('throws a usage error for %o', (options, message) => {
    expect(() => make(options)).toThrow(new TypeError(message))
  })

  it.each([[''], [undefined], [4], ['\ud800']])('throws a usage error in forApp for an app named %o', app => {
    expect(() => oldIds.forApp(app as string)).toThrow(TypeError)
  })

  it.each([['0'], ['04'], ['9223372036854775808'], [4], [undefined], [chess.toPublic('4')]])(
    'throws a usage error in toPublic for the id %o',
    id => {
      expect(() => chess.toPublic(id as string)).toThrow(
        /^toPublic: "id" must be the id of a node; received /,
      )
    },
  )
})
