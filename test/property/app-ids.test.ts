import fc, { type Arbitrary } from 'fast-check'
import { createAppIds } from 'kithgraph/app-ids'
import { describe, expect, it } from 'vitest'
import { createSealer } from '../../src/access/sealer.ts'
import { settings } from './settings.ts'

const LARGEST = 9_223_372_036_854_775_807n

/** Raw ids of every number of digits alike. */
const rawId: Arbitrary<string> = fc
  .integer({ min: 0, max: 62 })
  .chain(bits => fc.bigInt({ min: 2n ** BigInt(bits), max: 2n ** BigInt(bits + 1) - 1n }))
  .map(String)
const secret = fc.string({ unit: 'grapheme', minLength: 16, maxLength: 80 })
const app = fc.string({ unit: 'grapheme', minLength: 1 })
const keyNumber = fc.integer({ min: 1, max: 9 })
const digits = (length: number): Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map(list => list.join(''))
const forged = fc.tuple(keyNumber, digits(19)).map(([key, rest]) => `${key}${rest}`)

/** A service: some secrets under some numbers, one of them current. */
const secrets = fc.dictionary(keyNumber.map(String), secret, { minKeys: 1 })
const options = secrets.chain(secrets =>
  fc.constantFrom(...Object.keys(secrets)).map(current => ({ secrets, current: Number(current) })),
)

describe('whatever the secrets, the app and the id', () => {
  it('a public id is turned back', () => {
    fc.assert(
      fc.property(options, app, rawId, (options, app, id) => {
        const publicId = createAppIds(options).forApp(app).toPublic(id)
        expect(publicId).toMatch(/^[1-9][0-9]{19}$/)
        expect(publicId.startsWith(`${options.current}`)).toBe(true)
        // In a process that never gave it out, too.
        expect(createAppIds(options).forApp(app).toRaw(publicId)).toBe(id)
      }),
      settings(200),
    )
  })

  it('a public id is not the raw one, nor what another app or secret makes of it', () => {
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
      settings(),
    )
  })

  it('ids stay readable while their key is kept, whichever key is current', () => {
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
      settings(50),
    )
  })

  it('a text that is turned into a raw id is the one public id of it under that key', () => {
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
      settings(200),
    )
  })

  it('answers do not depend on what was asked before', () => {
    const few = fc.constantFrom('1', '2', '3', '9223372036854775807')
    const question = fc.oneof(few, forged, fc.string())
    const ids = createAppIds({ secrets: { 1: 'sixteen letters.' }, current: 1 }).forApp('chess')
    fc.assert(
      fc.property(few, question, fc.boolean(), (id, text, first) => {
        const fresh = createAppIds({ secrets: { 1: 'sixteen letters.' }, current: 1 }).forApp('chess')
        if (first) expect(ids.toRaw(text)).toBe(fresh.toRaw(text))
        expect(ids.toPublic(id)).toBe(fresh.toPublic(id))
        expect(ids.toRaw(ids.toPublic(id))).toBe(id)
        expect(ids.toRaw(text)).toBe(fresh.toRaw(text))
      }),
      settings(200),
    )
  })
})

describe('forged ids', () => {
  // A million with KITHGRAPH_LONG, which also tries ten times as often.
  const EACH = process.env.KITHGRAPH_LONG ? 500 : 50
  const existing = new Set(Array.from({ length: 10_000 }, (_, index) => `${index + 1}`))
  const ids = createAppIds({ secrets: { 1: 'sixteen letters.', 2: 'sixteen letters:' }, current: 2 }).forApp(
    'chess',
  )
  const known = fc.tuple(fc.constantFrom(1, 2), digits(19)).map(([key, rest]) => `${key}${rest}`)

  it('hit none of 10,000 nodes', () => {
    fc.assert(
      fc.property(fc.array(known, { minLength: EACH, maxLength: EACH }), texts => {
        expect(texts.filter(text => existing.has(ids.toRaw(text) ?? ''))).toEqual([])
      }),
      settings(200),
    )
  })

  it('made from a good one by changing a digit mean another node, or none', () => {
    const change = fc.tuple(fc.integer({ min: 1, max: 19 }), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(rawId, change, (id, [at, by]) => {
        const good = ids.toPublic(id)
        const digit = (Number(good.charAt(at)) + by) % 10
        expect(ids.toRaw(good.slice(0, at) + digit + good.slice(at + 1))).not.toBe(id)
      }),
      settings(200),
    )
  })
})

describe('whatever the secret, the head and the mark', () => {
  const time = fc.maxSafeInteger().filter(time => Math.abs(time) <= 8.64e15)
  const mark = fc.record({ time, target: rawId, source: rawId })

  it('a seal opens to the mark, under its own head alone', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), mark, (secret, head, other, mark) => {
        const sealed = createSealer(secret).seal(head, mark)
        expect(sealed.length).toBe(86)
        expect(createSealer(secret).unseal(head, sealed)).toEqual(mark)
        if (other !== head) expect(createSealer(secret).unseal(other, sealed)).toBeUndefined()
      }),
      settings(200),
    )
  })

  it('no text opens that was not sealed', () => {
    const sealer = createSealer('secret')
    const text = fc.oneof(
      fc.string(),
      fc.uint8Array({ minLength: 40, maxLength: 40 }).map(bytes => Buffer.from(bytes).toString('base64url')),
    )
    fc.assert(
      fc.property(text, text => {
        expect(sealer.unseal('head', text)).toBeUndefined()
      }),
      settings(),
    )
  })
})
