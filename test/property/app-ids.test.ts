import fc, { type Arbitrary } from 'fast-check'
import { createAppIds } from 'kithgraph/app-ids'
import { describe, expect, it } from 'vitest'
import { createCursorCipher } from '../../src/access/cursor-cipher.ts'
import { idKinds, idOf } from '../helpers/id-kinds.ts'
import { propertySettings } from './property-settings.ts'

const LARGEST = 9_223_372_036_854_775_807n

/** Digits of all lengths, each length about equally often. */
const rawDigits: Arbitrary<string> = fc
  .integer({ min: 0, max: 62 })
  .chain(bits => fc.bigInt({ min: 2n ** BigInt(bits), max: 2n ** BigInt(bits + 1) - 1n }))
  .map(String)
/** Raw ids of both kinds. */
const rawId: Arbitrary<string> = fc.tuple(idKinds, rawDigits).map(([kind, id]) => idOf(kind, 'photo', id))
const secret = fc.string({ unit: 'grapheme', minLength: 16, maxLength: 80 })
const app = fc.string({ unit: 'grapheme', minLength: 1 })
const keyNumber = fc.integer({ min: 1, max: 9 })
const digits = (length: number): Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map(list => list.join(''))
const forged = fc.tuple(keyNumber, digits(19)).map(([key, rest]) => `${key}${rest}`)

/** The secrets of a service by key number. */
const secrets = fc.dictionary(keyNumber.map(String), secret, { minKeys: 1 })
const options = secrets.chain(secrets =>
  fc.constantFrom(...Object.keys(secrets)).map(current => ({ secrets, current: Number(current) })),
)

describe('app-scoped ids for any secrets, apps and ids', () => {
  it('are mapped back to their raw ids by any instance with the same secrets', () => {
    fc.assert(
      fc.property(options, app, rawId, (options, app, id) => {
        const publicId = createAppIds(options).forApp(app).toPublic(id)
        expect(publicId).toMatch(/^(photo-~[1-9][\w-]{43}|photo-~[1-9][\w-]{86}|[1-9][0-9]{19})$/)
        expect(publicId.replace('photo-~', '').startsWith(`${options.current}`)).toBe(true)
        // Another instance, which did not create the public id, also maps it back.
        expect(createAppIds(options).forApp(app).toRaw(publicId)).toBe(id)
      }),
      propertySettings(200),
    )
  })

  it('differ from the raw id, between apps and between secrets', () => {
    fc.assert(
      fc.property(secret, secret, app, app, rawId, (secret, otherSecret, app, otherApp, id) => {
        fc.pre(app !== otherApp && secret !== otherSecret)
        const make = (text: string, name: string) =>
          createAppIds({ secrets: { 1: text }, current: 1 })
            .forApp(name)
            .toPublic(id)
        const padded = `1${id.padStart(19, '0')}`
        const ids = [padded, make(secret, app), make(secret, otherApp), make(otherSecret, app)]
        expect(new Set(ids).size).toBe(ids.length)
      }),
      propertySettings(),
    )
  })

  it('can be decrypted as long as their key is configured, whichever key is current', () => {
    fc.assert(
      fc.property(options, app, rawId, (options, app, id) => {
        const published = Object.keys(options.secrets).map(current =>
          createAppIds({ ...options, current: Number(current) })
            .forApp(app)
            .toPublic(id),
        )
        const ids = createAppIds(options).forApp(app)
        expect(published.map(publicId => ids.toRaw(publicId))).toEqual(published.map(() => id))
        expect(new Set(published).size).toBe(published.length)
      }),
      propertySettings(50),
    )
  })

  it('are unique: no other text is a public id of the same raw id and key', () => {
    fc.assert(
      fc.property(options, app, forged, (options, app, text) => {
        const id = createAppIds(options).forApp(app).toRaw(text)
        const number = Number(text.charAt(0))
        if (id === undefined) return
        expect(BigInt(id) > 0n && BigInt(id) <= LARGEST && /^[1-9]/.test(id)).toBe(true)
        expect(
          createAppIds({ ...options, current: number })
            .forApp(app)
            .toPublic(id),
        ).toBe(text)
      }),
      propertySettings(200),
    )
  })

  it('do not depend on earlier calls', () => {
    const few = fc.constantFrom('1', '2', '3', '9223372036854775807', 'photo-1', 'album-1')
    const callSpec = fc.oneof(few, forged, fc.string())
    const ids = createAppIds({ secrets: { 1: 'sixteen letters.' }, current: 1 }).forApp('chess')
    fc.assert(
      fc.property(few, callSpec, fc.boolean(), (id, text, first) => {
        const fresh = createAppIds({ secrets: { 1: 'sixteen letters.' }, current: 1 }).forApp('chess')
        if (first) expect(ids.toRaw(text)).toBe(fresh.toRaw(text))
        expect(ids.toPublic(id)).toBe(fresh.toPublic(id))
        expect(ids.toRaw(ids.toPublic(id))).toBe(id)
        expect(ids.toRaw(text)).toBe(fresh.toRaw(text))
      }),
      propertySettings(200),
    )
  })
})

describe('forged app-scoped ids', () => {
  // With KITHGRAPH_LONG, the property also runs ten times as often, for a total of a million forged ids.
  const EACH = process.env.KITHGRAPH_LONG ? 500 : 50
  const existing = new Set(Array.from({ length: 10_000 }, (_, index) => `${index + 1}`))
  const ids = createAppIds({ secrets: { 1: 'sixteen letters.', 2: 'sixteen letters:' }, current: 2 }).forApp(
    'chess',
  )
  const known = fc.tuple(fc.constantFrom(1, 2), digits(19)).map(([key, rest]) => `${key}${rest}`)

  it('match none of 10,000 nodes', () => {
    fc.assert(
      fc.property(fc.array(known, { minLength: EACH, maxLength: EACH }), texts => {
        expect(texts.filter(text => existing.has(ids.toRaw(text) ?? ''))).toEqual([])
      }),
      propertySettings(200),
    )
  })

  it('do not belong to the original node after one digit is changed', () => {
    const change = fc.tuple(fc.integer({ min: 1, max: 19 }), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(rawDigits, change, (id, [at, by]) => {
        const publicId = ids.toPublic(id)
        const digit = (Number(publicId.charAt(at)) + by) % 10
        expect(ids.toRaw(publicId.slice(0, at) + digit + publicId.slice(at + 1))).not.toBe(id)
      }),
      propertySettings(200),
    )
  })
})

describe('forged app-scoped named ids', () => {
  const ids = createAppIds({ secrets: { 1: 'sixteen letters.' }, current: 1 }).forApp('chess')

  it('are the public ids of no node', () => {
    const change = fc.tuple(fc.nat(42), fc.integer({ min: 1, max: 63 }))
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    fc.assert(
      fc.property(fc.nat(1_000_000), change, fc.base64String(), (key, [at, by], text) => {
        const publicId = ids.toPublic(`photo-${key}`)
        const index = 'photo-~1'.length + at
        const next = ALPHABET.charAt((ALPHABET.indexOf(publicId.charAt(index)) + by) % 64)
        expect(ids.toRaw(publicId.slice(0, index) + next + publicId.slice(index + 1))).toBeUndefined()
        expect(ids.toRaw(`photo-~1${text}`)).toBeUndefined()
      }),
      propertySettings(200),
    )
  })
})

describe('the cursor cipher for any secret, prefix and position', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 })

  it('decrypts a cursor to its position, only with the same prefix', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), text, (secret, head, other, position) => {
        const encrypted = createCursorCipher(secret).encrypt(head, position)
        expect(Buffer.from(encrypted, 'base64url').length % 64).toBe(40)
        expect(createCursorCipher(secret).decrypt(head, encrypted)).toBe(position)
        if (other !== head) expect(createCursorCipher(secret).decrypt(other, encrypted)).toBeUndefined()
      }),
      propertySettings(200),
    )
  })

  it('decrypts no text that it did not encrypt', () => {
    const cipher = createCursorCipher('secret')
    const forged = fc.oneof(
      fc.string(),
      fc
        .uint8Array({ minLength: 104, maxLength: 104 })
        .map(bytes => Buffer.from(bytes).toString('base64url')),
    )
    fc.assert(
      fc.property(forged, text => {
        expect(cipher.decrypt('head', text)).toBeUndefined()
      }),
      propertySettings(),
    )
  })
})
