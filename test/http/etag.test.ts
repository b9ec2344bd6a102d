import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BodyMeter } from '../../src/http/etag.ts'

/** Bodies shorter and longer than what a meter keeps memory for, of one byte a character and of several. */
const body = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom(0, 1, 5000, 16_383, 16_384, 20_000))
  .map(([text, filling]) => text + 'x'.repeat(filling))

describe('what a body is told apart by', () => {
  it('does not depend on what was answered before it', () => {
    const meter = new BodyMeter()
    fc.assert(
      fc.property(body, text => {
        expect(meter.measure(text)).toEqual(new BodyMeter().measure(text))
      }),
    )
  })

  it('is another where a character is', () => {
    const meter = new BodyMeter()
    fc.assert(
      fc.property(body, fc.nat(), (text, at) => {
        const place = at % (text.length + 1)
        const other = `${text.slice(0, place)}!${text.slice(place + 1)}`
        fc.pre(other !== text)
        expect(meter.measure(other).etag).not.toBe(meter.measure(text).etag)
      }),
    )
  })

  it('is another where characters changed places', () => {
    const meter = new BodyMeter()
    fc.assert(
      fc.property(body, fc.nat(), fc.integer({ min: 1, max: 40 }), (text, at, size) => {
        const place = at % (text.length + 1)
        const other = text.slice(0, place) + text.slice(place + size) + text.slice(place, place + size)
        fc.pre(other !== text)
        expect(meter.measure(other).etag).not.toBe(meter.measure(text).etag)
      }),
    )
  })

  it('comes with the length of the body in bytes', () => {
    const meter = new BodyMeter()
    fc.assert(
      fc.property(body, text => {
        expect(meter.measure(text).length).toBe(new TextEncoder().encode(text).length)
      }),
    )
  })
})
