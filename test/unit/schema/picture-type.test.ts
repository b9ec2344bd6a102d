import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pictureParameters, pictureType } from '../../../src/schema/picture-type.ts'

type Asked = { width?: number; height?: number; type?: string }
type Size = { url: string; width: number; height: number }

const answer = (sizes: readonly Size[], parameters: Asked = {}, silhouette: string | undefined = undefined) =>
  pictureType.serialize([...sizes], { now: 0, silhouette, parameters, checked: true })?.data

const side = fc.integer({ min: 1, max: 2000 })
const sizes = fc.array(fc.record({ url: fc.nat().map(id => `/${id}.jpg`), width: side, height: side }), {
  minLength: 1,
  maxLength: 8,
})
const asked = fc.record({ width: side, height: side }, { requiredKeys: [] })

describe('the picture that is chosen', () => {
  it('is one of those stored', () => {
    fc.assert(
      fc.property(sizes, asked, (stored, parameters) => {
        const { is_silhouette, ...size } = answer(stored, parameters) ?? {}
        expect(is_silhouette).toBe(false)
        expect(stored).toContainEqual(size)
      }),
    )
  })

  it('is large enough where any is, and the smallest of those', () => {
    fc.assert(
      fc.property(sizes, asked, (stored, parameters) => {
        const { width = 0, height = 0 } = answer(stored, parameters) ?? {}
        const none = parameters.width === undefined && parameters.height === undefined
        const least = {
          width: parameters.width ?? (none ? 50 : 0),
          height: parameters.height ?? (none ? 50 : 0),
        }
        const fitting = stored.filter(size => size.width >= least.width && size.height >= least.height)
        const areas = (fitting.length > 0 ? fitting : stored).map(size => size.width * size.height)
        expect(width * height).toBe(fitting.length > 0 ? Math.min(...areas) : Math.max(...areas))
      }),
    )
  })

  it('does not depend on the order in which they are stored', () => {
    const stored = [50, 100, 200].map(side => ({ url: `/${side}`, width: side, height: side }))
    for (const width of [1, 51, 150, 500]) {
      expect(answer(stored.toReversed(), { width })).toEqual(answer(stored, { width }))
    }
  })

  it.each([
    ['small', 50],
    ['square', 50],
    ['album', 50],
    ['normal', 100],
    ['large', 200],
  ])('of type %s is at least %d wide and high', (type, least) => {
    const stored = [49, 50, 99, 100, 199, 200, 500].map(side => ({
      url: `/${side}`,
      width: side,
      height: side,
    }))
    expect(answer(stored, { type })).toMatchObject({ width: least, height: least })
  })
})

describe('what a picture is asked for', () => {
  const { width, height } = pictureParameters

  it.each([-5, 0, 0.5, '50', 2 ** 53])('is no side of %o', value => {
    for (const type of [width, height]) {
      expect(() => type.parse(value)).toThrow(expect.objectContaining({ expected: 'an integer from 1' }))
    }
  })

  it.each([1, 50, Number.MAX_SAFE_INTEGER])('may be a side of %o', value => {
    expect([width.parse(value), height.parse(value)]).toEqual([value, value])
  })
})

describe('the silhouette', () => {
  it.each([
    [{}, 50, 50],
    [{ width: 100 }, 100, 100],
    [{ height: 70 }, 70, 70],
    [{ width: 100, height: 70 }, 100, 70],
    [{ type: 'large' }, 200, 200],
  ])('asked with %o is %d wide and %d high', (parameters, width, height) => {
    expect(answer([], parameters, '/s.svg')).toEqual({ height, is_silhouette: true, url: '/s.svg', width })
  })

  it('is not there where the schema has none', () => {
    expect(answer([])).toBeUndefined()
  })
})
