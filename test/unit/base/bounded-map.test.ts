import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BoundedMap } from '../../../src/base/bounded-map.ts'
import { measureHeap } from '../../helpers/heap.ts'
import { propertySettings } from '../../property/property-settings.ts'

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

const BOUND = 20

const LARGEST_KEY = 12

const weighedKeys = fc.nat({ max: LARGEST_KEY }).map(String)
const uses = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('get' as const), key: weighedKeys }),
    fc.record({ kind: fc.constant('set' as const), key: weighedKeys, weight: fc.nat({ max: BOUND + 5 }) }),
    fc.record({ kind: fc.constant('delete' as const), key: weighedKeys }),
  ),
  { maxLength: 200 },
)

type Weighed = { readonly value: number; readonly weight: number }

const createWeighedMap = (bound: number) => new BoundedMap<Weighed>(bound, ({ weight }) => weight)

describe('a bounded map of values with a weight', () => {
  it('never weighs more than its bound, however it is used', () => {
    fc.assert(
      fc.property(uses, all => {
        const map = createWeighedMap(BOUND)
        for (const use of all) {
          if (use.kind === 'set') map.set(use.key, { value: 0, weight: use.weight })
          else map[use.kind](use.key)
          expect(map.weight).toBeLessThanOrEqual(BOUND)
        }
        // Entries that were dropped, replaced or deleted no longer have a weight.
        for (let key = 0; key <= LARGEST_KEY; key++) map.delete(`${key}`)
        expect([map.weight, map.size]).toEqual([0, 0])
      }),
      propertySettings(),
    )
  })

  it('weighs as much as all of its entries', () => {
    fc.assert(
      fc.property(uses, all => {
        const map = createWeighedMap(1_000_000)
        const weights = new Map<string, number>()
        for (const use of all) {
          if (use.kind === 'get') expect(map.get(use.key)?.weight).toBe(weights.get(use.key))
          else if (use.kind === 'set') {
            map.set(use.key, { value: 0, weight: use.weight })
            weights.set(use.key, use.weight)
          } else {
            map.delete(use.key)
            weights.delete(use.key)
          }
        }
        expect(map.weight).toBe([...weights.values()].reduce((sum, weight) => sum + weight, 0))
        expect(map.size).toBe(weights.size)
      }),
      propertySettings(),
    )
  })

  it('returns the newest value of a key, or undefined', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(weighedKeys, fc.nat({ max: BOUND + 5 }))), all => {
        const map = createWeighedMap(BOUND)
        const newest = new Map<string, number>()
        all.forEach(([key, weight], turn) => {
          map.set(key, { value: turn, weight })
          newest.set(key, turn)
          expect(map.get(key)?.value).toBe(weight <= BOUND ? turn : undefined)
          for (const [other, value] of newest) expect([value, undefined]).toContain(map.get(other)?.value)
        })
      }),
      propertySettings(),
    )
  })

  it('keeps an entry of any weight up to its bound, and no heavier one', () => {
    const map = createWeighedMap(BOUND)
    for (let weight = 0; weight <= BOUND; weight++) {
      map.set('key', { value: 1, weight })
      expect([map.get('key'), map.weight]).toEqual([{ value: 1, weight }, weight])
    }
    map.set('key', { value: 1, weight: BOUND + 1 })
    expect([map.get('key'), map.weight, map.size]).toEqual([undefined, 0, 0])
  })

  it('keeps an entry that is read again and again, while others are added', () => {
    const map = createWeighedMap(BOUND)
    map.set('hot', { value: 1, weight: 3 })
    for (let index = 0; index < 1000; index++) {
      map.set(`cold ${index}`, { value: index, weight: 1 + (index % 7) })
      expect(map.get('hot')?.value).toBe(1)
    }
  })

  it('drops the entry that was used longest ago', () => {
    const map = createWeighedMap(BOUND)
    map.set('old', { value: 1, weight: 1 })
    for (let index = 0; index < BOUND; index++) map.set(`${index}`, { value: index, weight: 1 })
    expect(map.get('old')).toBeUndefined()
  })
})
