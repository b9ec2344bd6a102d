import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WeightedMap } from '../../../src/base/weighted-map.ts'
import { propertySettings } from '../../property/property-settings.ts'

const BOUND = 20

const LARGEST_KEY = 12

const keys = fc.nat({ max: LARGEST_KEY }).map(String)
const uses = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('get' as const), key: keys }),
    fc.record({ kind: fc.constant('set' as const), key: keys, weight: fc.nat({ max: BOUND + 5 }) }),
  ),
  { maxLength: 200 },
)

describe('a weighted map', () => {
  it('never weighs more than its bound, however it is used', () => {
    fc.assert(
      fc.property(uses, all => {
        const map = new WeightedMap<number>(BOUND)
        for (const use of all) {
          if (use.kind === 'get') map.get(use.key)
          else map.set(use.key, use.weight, use.weight)
          expect(map.weight).toBeLessThanOrEqual(BOUND)
        }
        // Entries that were dropped or replaced no longer have a weight.
        for (let key = 0; key <= LARGEST_KEY; key++) map.set(`${key}`, 0, 0)
        expect(map.weight).toBe(0)
      }),
      propertySettings(),
    )
  })

  it('weighs as much as all of its entries', () => {
    fc.assert(
      fc.property(uses, all => {
        const map = new WeightedMap<number>(1_000_000)
        const weights = new Map<string, number>()
        for (const use of all) {
          if (use.kind === 'get') expect(map.get(use.key)).toBe(weights.get(use.key))
          else {
            map.set(use.key, use.weight, use.weight)
            weights.set(use.key, use.weight)
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
      fc.property(fc.array(fc.tuple(keys, fc.nat({ max: BOUND + 5 }))), all => {
        const map = new WeightedMap<string>(BOUND)
        const newest = new Map<string, string>()
        all.forEach(([key, weight], turn) => {
          map.set(key, `${turn}`, weight)
          newest.set(key, `${turn}`)
          expect(map.get(key)).toBe(weight <= BOUND ? `${turn}` : undefined)
          for (const [other, value] of newest) expect([value, undefined]).toContain(map.get(other))
        })
      }),
      propertySettings(),
    )
  })

  it('keeps an entry of any weight up to its bound, and no heavier one', () => {
    const map = new WeightedMap<string>(BOUND)
    for (let weight = 0; weight <= BOUND; weight++) {
      map.set('key', 'value', weight)
      expect([map.get('key'), map.weight]).toEqual(['value', weight])
    }
    map.set('key', 'value', BOUND + 1)
    expect([map.get('key'), map.weight, map.size]).toEqual([undefined, 0, 0])
  })

  it('keeps an entry that is read again and again, while others are added', () => {
    const map = new WeightedMap<number>(BOUND)
    map.set('hot', 1, 3)
    for (let index = 0; index < 1000; index++) {
      map.set(`cold ${index}`, index, 1 + (index % 7))
      expect(map.get('hot')).toBe(1)
    }
  })

  it('drops the entry that was used longest ago', () => {
    const map = new WeightedMap<number>(BOUND)
    map.set('old', 1, 1)
    for (let index = 0; index < BOUND; index++) map.set(`${index}`, index, 1)
    expect(map.get('old')).toBeUndefined()
  })
})
