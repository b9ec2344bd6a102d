import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BoundedMap } from '../../../src/base/bounded-map.ts'
import { measureHeap } from '../../helpers/heap.ts'

const keys = fc.array(fc.nat({ max: 40 }).map(String), { maxLength: 200 })
const capacity = fc.integer({ min: 1, max: 10 }).map(half => half * 2)

describe('a bounded map', () => {
  it('never holds more than its capacity, however it is used', () => {
    fc.assert(
      fc.property(
        capacity,
        fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 40 }).map(String))),
        (most, uses) => {
          const map = new BoundedMap<string>(most)
          for (const [writes, key] of uses) {
            if (writes) map.set(key, `value of ${key}`)
            else map.get(key)
            expect(map.size).toBeLessThanOrEqual(most)
          }
        },
      ),
    )
  })

  it('returns the value that was set for a key, or undefined', () => {
    fc.assert(
      fc.property(capacity, keys, (most, used) => {
        const map = new BoundedMap<string>(most)
        for (const key of used) {
          map.set(key, `value of ${key}`)
          expect(map.get(key)).toBe(`value of ${key}`)
        }
        for (const key of used) expect([`value of ${key}`, undefined]).toContain(map.get(key))
      }),
    )
  })

  it('keeps a key that is used again and again', () => {
    const map = new BoundedMap<number>(10)
    map.set('hot', 1)
    for (let index = 0; index < 1000; index++) {
      map.set(`cold ${index}`, index)
      expect(map.get('hot')).toBe(1)
    }
  })

  it('drops the key that was used longest ago', () => {
    const map = new BoundedMap<number>(10)
    map.set('old', 1)
    for (let index = 0; index < 10; index++) map.set(`${index}`, index)
    expect(map.get('old')).toBeUndefined()
  })

  it('holds the newest value of a key', () => {
    const map = new BoundedMap<number>(4)
    for (let index = 0; index < 20; index++) {
      map.set('same', index)
      map.set(`${index}`, index)
      expect(map.get('same')).toBe(index)
    }
  })

  it('does not confuse a key with an inherited property of objects', () => {
    const map = new BoundedMap<number>(4)
    expect(map.get('__proto__')).toBeUndefined()
    map.set('__proto__', 1)
    expect(map.get('__proto__')).toBe(1)
    expect(map.get('constructor')).toBeUndefined()
  })

  it('does not keep a long text in memory if only a slice of it is a key', () => {
    const map = new BoundedMap<number>(1000)
    const before = measureHeap()
    for (let index = 0; index < 500; index++) {
      const request = `/${index}?access_token=a-token-of-the-client-${index}&padding=`.padEnd(100_000, 'x')
      map.set(request.slice(request.indexOf('=') + 1, request.indexOf('&')), index)
    }
    expect([map.size, map.get('a-token-of-the-client-7')]).toEqual([500, 7])
    // All requests together have 50 MB.
    expect(measureHeap() - before).toBeLessThan(20)
  })
})
