import { type AppIds, type AppIdsOptions, createAppIds } from 'kithgraph/app-ids'
import { describe, expect, it } from 'vitest'
import { isPublicId } from '../../../src/access/app-ids/app-ids.ts'
import { createDigitCipher } from '../../../src/access/app-ids/digit-cipher.ts'
import { RememberedIds } from '../../../src/access/app-ids/remembered-ids.ts'

const FIRST = 'the first secret of all'
const SECOND = 'the second secret of all'
const LARGEST = '9223372036854775807'

const oldIds = createAppIds({ secrets: { 1: FIRST }, current: 1 })
const newIds = createAppIds({ secrets: { 1: FIRST, 2: SECOND }, current: 2 })
const chess = oldIds.forApp('chess')

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], byte => Number.parseInt(byte, 16))

/** Milliseconds that a call takes. */
const timeOf = (call: () => void): number => {
  const started = performance.now()
  call()
  return performance.now() - started
}

describe('a public id', () => {
  it.each(['1', '9', '10', '1000000000000000000', LARGEST])('of %s is turned back', id => {
    expect(chess.toRaw(chess.toPublic(id))).toBe(id)
  })

  it('has 20 digits, of which the first is the number of the current key', () => {
    expect(chess.toPublic('4')).toMatch(/^1[0-9]{19}$/)
    expect(newIds.forApp('chess').toPublic('4')).toMatch(/^2[0-9]{19}$/)
    expect(isPublicId(chess.toPublic('4'))).toBe(true)
  })

  it('is the same wherever the secret is', () => {
    const elsewhere = createAppIds({ secrets: { 1: FIRST }, current: 1 })
    expect(elsewhere.forApp('chess').toPublic('4')).toBe(chess.toPublic('4'))
    // Written down, since a changed derivation would end every id given out.
    expect(chess.toPublic('4')).toBe('12094395976610042158')
  })

  it('means another node, or none, to another app', () => {
    const calendar = oldIds.forApp('calendar')
    expect(calendar.toPublic('4')).not.toBe(chess.toPublic('4'))
    expect(calendar.toRaw(chess.toPublic('4'))).not.toBe('4')
  })

  it('means another node, or none, under another secret', () => {
    const other = createAppIds({ secrets: { 1: SECOND }, current: 1 }).forApp('chess')
    expect(other.toRaw(chess.toPublic('4'))).not.toBe('4')
  })

  it('tells apps apart whose names are properties of every object, or longer than a block', () => {
    const apps = ['constructor', '__proto__', 'a'.repeat(1000), 'a'.repeat(1001), 'ä', 'a']
    expect(new Set(apps.map(app => oldIds.forApp(app).toPublic('4'))).size).toBe(apps.length)
  })
})

describe('when the key changes', () => {
  const before = chess.toPublic('4')

  it('ids of the old one are read, and those of the new one written', () => {
    const rotated = newIds.forApp('chess')
    expect(rotated.toRaw(before)).toBe('4')
    expect(rotated.toPublic('4')).not.toBe(before)
    expect(rotated.toRaw(rotated.toPublic('4'))).toBe('4')
  })

  it('ids of a key that is gone are of no node', () => {
    const later = createAppIds({ secrets: { 2: SECOND }, current: 2 })
    expect(later.forApp('chess').toRaw(before)).toBeUndefined()
  })

  it('ids of a key that is not yet known are of no node', () => {
    expect(chess.toRaw(newIds.forApp('chess').toPublic('4'))).toBeUndefined()
  })
})

describe('what is no public id', () => {
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
  ])('is of no node: %o', text => {
    expect(chess.toRaw(text)).toBeUndefined()
    expect(isPublicId(text)).toBe(false)
  })

  it.each([[undefined], [null], [4], [1e19], [[digits]], [{ toString: () => digits }]])(
    'is of no node though it is no text: %o',
    value => {
      expect(isPublicId(value)).toBe(false)
    },
  )

  it('is told at once, however long it is', () => {
    for (const text of ['4'.repeat(1_000_000), `${digits}${' '.repeat(1_000_000)}`, '\0'.repeat(1_000_000)]) {
      expect(timeOf(() => expect(chess.toRaw(text)).toBeUndefined())).toBeLessThan(2000)
    }
  })

  it('is a number of 20 digits that decrypts to no raw id', () => {
    const forged = Array.from({ length: 200 }, (_, index) => `1${String(index).padStart(19, '0')}`)
    const raw = forged.map(text => chess.toRaw(text))
    expect(raw).toContain(undefined)
    for (const [index, id] of raw.entries())
      if (id !== undefined) expect(chess.toPublic(id)).toBe(forged[index])
  })
})

describe('remembering', () => {
  /** Ids under a cipher that is quick, and counts its work. */
  const countedIds = () => {
    let work = 0
    const mirror = (digits: string): string => {
      work++
      return [...digits].reverse().join('')
    }
    const [first, second] = ['1', '2'].map(digit => ({ digit, cipher: { encrypt: mirror, decrypt: mirror } }))
    if (first === undefined || second === undefined) throw new Error('two keys were made')
    const ids = new RememberedIds(second, [first])
    const workOf = (call: () => void): number => {
      const before = work
      call()
      return work - before
    }
    return { ids, workOf }
  }
  const given = Array.from({ length: 1000 }, (_, index) => `${index + 1}`)
  const forged = Array.from({ length: 100_000 }, (_, index) => `2${index + 100_000}`.padEnd(20, '1'))

  it('makes what was lately given out free in both directions, the ids of old keys too', () => {
    const { ids, workOf } = countedIds()
    const publicIds = given.map(id => ids.toPublic(id))
    const all = [...publicIds, ...publicIds.map(id => `1${id.slice(1)}`)]
    expect(workOf(() => all.map(id => ids.toRaw(id)))).toBe(all.length)
    expect(workOf(() => all.map(id => ids.toRaw(id)))).toBe(0)
    expect(workOf(() => given.map(id => ids.toPublic(id)))).toBe(0)
  })

  it('is not undone by forged ids, however many', () => {
    const { ids, workOf } = countedIds()
    const publicIds = given.map(id => ids.toPublic(id))
    for (const id of publicIds) ids.toRaw(id)
    expect(forged.filter(text => ids.toRaw(text) !== undefined).length).toBe(forged.length)
    expect(workOf(() => given.map(id => ids.toPublic(id)))).toBe(0)
    expect(workOf(() => publicIds.map(id => ids.toRaw(id)))).toBe(0)
  })

  it('ends for what was used longest ago', () => {
    const { ids, workOf } = countedIds()
    ids.toPublic('1')
    for (let id = 2; id <= 20_000; id++) ids.toPublic(`${id}`)
    expect(workOf(() => ids.toPublic('20000'))).toBe(0)
    expect(workOf(() => ids.toPublic('1'))).toBe(1)
  })
})

describe('the cipher of digits', () => {
  // The samples 1 and 7 of NIST for FF1, which have no tweak: keys of 128 and of 256 bits.
  it.each([
    ['2b7e151628aed2a6abf7158809cf4f3c', '0123456789', '2433477484'],
    ['2b7e151628aed2a6abf7158809cf4f3cef4359d8d580aa4f7f036d6f04fc6a94', '0123456789', '6657667009'],
  ])('under %s makes of %s what its standard says', (key, plain, encrypted) => {
    const cipher = createDigitCipher(bytesOf(key))
    expect(cipher.encrypt(plain)).toBe(encrypted)
    expect(cipher.decrypt(encrypted)).toBe(plain)
  })
})

describe('misuse', () => {
  const make = (options: unknown): AppIds => createAppIds(options as AppIdsOptions)

  it.each<[unknown, string]>([
    [undefined, 'createAppIds: expected options as an object, came undefined'],
    [
      { secrets: { 1: FIRST }, current: 1, app: 'chess' },
      'createAppIds: unknown option "app"; expected one of secrets, current',
    ],
    [{ current: 1 }, 'createAppIds: secrets must hold at least one, came undefined'],
    [{ secrets: {}, current: 1 }, 'createAppIds: secrets must hold at least one, came an empty object'],
    [{ secrets: [FIRST], current: 0 }, 'createAppIds: secrets must be an object, came a list of 1'],
    [{ secrets: { 0: FIRST }, current: 0 }, 'createAppIds: the numbers of secrets must be 1 to 9, came "0"'],
    [
      { secrets: { 10: FIRST }, current: 10 },
      'createAppIds: the numbers of secrets must be 1 to 9, came "10"',
    ],
    [
      { secrets: { 1: FIRST }, current: 2 },
      'createAppIds: current must be the number of a secret: 1, came 2',
    ],
    [
      { secrets: { 1: FIRST }, current: '1' },
      'createAppIds: current must be the number of a secret: 1, came "1"',
    ],
    [
      { secrets: { 1: 'fifteen letters' }, current: 1 },
      'createAppIds: "secrets.1" must be text of at least 16 characters; received text of 15 characters',
    ],
    [
      { secrets: { 1: FIRST, 2: undefined }, current: 1 },
      'createAppIds: "secrets.2" must be text of at least 16 characters; received a value of type undefined',
    ],
  ])('is refused: %o', (options, message) => {
    expect(() => make(options)).toThrow(new TypeError(message))
  })

  it.each([[''], [undefined], [4], ['\ud800']])('has no ids for an app named %o', app => {
    expect(() => oldIds.forApp(app as string)).toThrow(TypeError)
  })

  it.each([['0'], ['04'], ['9223372036854775808'], [4], [undefined], [chess.toPublic('4')]])(
    'makes no public id of %o',
    id => {
      expect(() => chess.toPublic(id as string)).toThrow(/^toPublic: expected the id of a node, came/)
    },
  )
})
