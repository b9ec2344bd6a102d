import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPromiseLike } from '../../src/base/awaitable.ts'
import { Turns } from '../../src/base/turns.ts'
import { Chaskey, newHashing } from '../../src/http/chaskey.ts'
import { BodyMeter } from '../../src/http/etag.ts'
import { hexOf } from '../../src/http/hex.ts'

/** Bodies shorter and longer than what a meter keeps memory for, of one byte a character and of several. */
const body = fc
  .tuple(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(0, 1, 5000, 16_363, 16_383, 16_384, 20_000),
  )
  .map(([text, filling]) => text + 'x'.repeat(filling))

const KEY = new Uint8Array(16).fill(7)
const newMeter = () => new BodyMeter(KEY, new Turns())

/** Of a body that is short enough to be measured at once. */
const measured = (meter: BodyMeter, text: string) => {
  const answer = meter.measure(text)
  if (isPromiseLike(answer)) throw new Error('A short body is measured at once')
  return answer
}

describe('what a body is told apart by', () => {
  it('does not depend on what was answered before it', () => {
    const meter = newMeter()
    fc.assert(
      fc.property(body, text => {
        expect(measured(meter, text)).toEqual(measured(newMeter(), text))
      }),
    )
  })

  it('is another where a character is', () => {
    const meter = newMeter()
    fc.assert(
      fc.property(body, fc.nat(), (text, at) => {
        const place = at % (text.length + 1)
        const other = `${text.slice(0, place)}!${text.slice(place + 1)}`
        fc.pre(other !== text)
        expect(measured(meter, other).etag).not.toBe(measured(meter, text).etag)
      }),
    )
  })

  it('is another where characters changed places', () => {
    const meter = newMeter()
    fc.assert(
      fc.property(body, fc.nat(), fc.integer({ min: 1, max: 40 }), (text, at, size) => {
        const place = at % (text.length + 1)
        const other = text.slice(0, place) + text.slice(place + size) + text.slice(place, place + size)
        fc.pre(other !== text)
        expect(measured(meter, other).etag).not.toBe(measured(meter, text).etag)
      }),
    )
  })

  it('comes with the length of the body in bytes', () => {
    const meter = newMeter()
    fc.assert(
      fc.property(body, text => {
        expect(measured(meter, text).length).toBe(new TextEncoder().encode(text).length)
      }),
    )
  })

  it('is the published hash of its bytes, however it is cut into pieces', async () => {
    const hash = new Chaskey(KEY)
    const expected = (text: string): string => {
      const bytes = new TextEncoder().encode(text)
      const words = new Int32Array(4 * Math.floor(bytes.length / 16) + 4)
      const copy = new Uint8Array(words.buffer)
      copy.set(bytes)
      const hashing = newHashing()
      hash.begin(hashing)
      hash.end(hashing, words, copy, bytes.length)
      return `"${[...hashing].map(hexOf).join('')}"`
    }
    const meter = newMeter()
    fc.assert(
      fc.property(body, text => {
        expect(measured(meter, text).etag).toBe(expected(text))
      }),
    )
    for (const filling of ['x', 'é', '🦋', '\ud83e']) {
      const long = `a${filling.repeat(1_600_000)}`
      const pending = meter.measure(long)
      expect(isPromiseLike(pending)).toBe(true)
      // Others are measured while a long body is.
      expect(measured(meter, 'short').etag).toBe(expected('short'))
      expect(await pending).toEqual({ etag: expected(long), length: new TextEncoder().encode(long).length })
    }
  })
})
