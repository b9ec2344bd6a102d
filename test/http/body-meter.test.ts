import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPromiseLike } from '../../src/base/awaitable.ts'
import { TurnQueue } from '../../src/base/turn-queue.ts'
import { BodyMeter } from '../../src/http/body-meter.ts'
import { Chaskey, createHashState } from '../../src/http/chaskey.ts'
import { wordToHex } from '../../src/http/trace-ids.ts'

/** Bodies shorter and longer than the buffer of a meter, with one or more bytes per character. */
const body = fc
  .tuple(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(0, 1, 5000, 16_363, 16_383, 16_384, 20_000),
  )
  .map(([text, filling]) => text + 'x'.repeat(filling))

const KEY = new Uint8Array(16).fill(7)
const createMeter = () => new BodyMeter(KEY, new TurnQueue())

/** Measures a body that is short enough to be measured synchronously. */
const measureText = (meter: BodyMeter, text: string) => {
  const measurement = meter.measure(text)
  if (isPromiseLike(measurement)) throw new Error('A short body is measured synchronously')
  return measurement
}

describe('BodyMeter', () => {
  it('returns the same result for a body, whatever it measured before', () => {
    const meter = createMeter()
    fc.assert(
      fc.property(body, text => {
        expect(measureText(meter, text)).toEqual(measureText(createMeter(), text))
      }),
    )
  })

  it('returns another ETag if a character of the body differs', () => {
    const meter = createMeter()
    fc.assert(
      fc.property(body, fc.nat(), (text, at) => {
        const offset = at % (text.length + 1)
        const other = `${text.slice(0, offset)}!${text.slice(offset + 1)}`
        fc.pre(other !== text)
        expect(measureText(meter, other).etag).not.toBe(measureText(meter, text).etag)
      }),
    )
  })

  it('returns another ETag if characters of the body are swapped', () => {
    const meter = createMeter()
    fc.assert(
      fc.property(body, fc.nat(), fc.integer({ min: 1, max: 40 }), (text, at, size) => {
        const offset = at % (text.length + 1)
        const other = text.slice(0, offset) + text.slice(offset + size) + text.slice(offset, offset + size)
        fc.pre(other !== text)
        expect(measureText(meter, other).etag).not.toBe(measureText(meter, text).etag)
      }),
    )
  })

  it('returns the length of the body in bytes', () => {
    const meter = createMeter()
    fc.assert(
      fc.property(body, text => {
        expect(measureText(meter, text).encodedBytes).toBe(new TextEncoder().encode(text).length)
      }),
    )
  })

  it('returns the Chaskey hash of the bytes as the ETag, even if it is computed in pieces', async () => {
    const hash = new Chaskey(KEY)
    const expected = (text: string): string => {
      const bytes = new TextEncoder().encode(text)
      const words = new Int32Array(4 * Math.floor(bytes.length / 16) + 4)
      const copy = new Uint8Array(words.buffer)
      copy.set(bytes)
      const hashing = createHashState()
      hash.begin(hashing)
      hash.finish(hashing, words, copy, bytes.length)
      return `"${[...hashing].map(wordToHex).join('')}"`
    }
    const meter = createMeter()
    fc.assert(
      fc.property(body, text => {
        expect(measureText(meter, text).etag).toBe(expected(text))
      }),
    )
    for (const filling of ['x', 'é', '🦋', '\ud83e']) {
      const long = `a${filling.repeat(1_600_000)}`
      const pending = meter.measure(long)
      expect(isPromiseLike(pending)).toBe(true)
      // Other bodies are measured while a long one is in progress.
      expect(measureText(meter, 'short').etag).toBe(expected('short'))
      expect(await pending).toEqual({
        etag: expected(long),
        encodedBytes: new TextEncoder().encode(long).length,
      })
    }
  })
})
