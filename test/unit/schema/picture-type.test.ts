import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pictureParameters, pictureType } from '../../../src/schema/picture-type.ts'

type PictureParameters = { width?: number; height?: number; type?: string }
type Size = { url: string; width: number; height: number }

const choosePicture = (
  sizes: readonly Size[],
  parameters: PictureParameters = {},
  defaultPicture: string | undefined = undefined,
) => pictureType.serialize([...sizes], { now: 0, defaultPicture, parameters, isStrict: true })?.data

const side = fc.integer({ min: 1, max: 2000 })
const sizes = fc.array(fc.record({ url: fc.nat().map(id => `/${id}.jpg`), width: side, height: side }), {
  minLength: 1,
  maxLength: 8,
})
const anyParameters = fc.record({ width: side, height: side }, { requiredKeys: [] })

describe('the chosen picture', () => {
  it('is one of the stored sizes', () => {
    fc.assert(
      fc.property(sizes, anyParameters, (stored, parameters) => {
        const { is_silhouette, ...size } = choosePicture(stored, parameters) ?? {}
        expect(is_silhouette).toBe(false)
        expect(stored).toContainEqual(size)
      }),
    )
  })

  it('is the smallest size that is large enough, if there is one', () => {
    fc.assert(
      fc.property(sizes, anyParameters, (stored, parameters) => {
        const { width = 0, height = 0 } = choosePicture(stored, parameters) ?? {}
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

  it('does not depend on the order of the stored sizes', () => {
    const stored = [50, 100, 200].map(side => ({ url: `/${side}`, width: side, height: side }))
    for (const width of [1, 51, 150, 500]) {
      expect(choosePicture(stored.toReversed(), { width })).toEqual(choosePicture(stored, { width }))
    }
  })

  it.each([
    ['small', 50],
    ['square', 50],
    ['album', 50],
    ['normal', 100],
    ['large', 200],
  ])('has at least the size of the type %s: %d', (type, least) => {
    const stored = [49, 50, 99, 100, 199, 200, 500].map(side => ({
      url: `/${side}`,
      width: side,
      height: side,
    }))
    expect(choosePicture(stored, { type })).toMatchObject({ width: least, height: least })
  })
})

describe('the width and height of a picture', () => {
  const { width, height } = pictureParameters

  it.each([-5, 0, 0.5, '50', 2 ** 53])('cannot be %o', value => {
    for (const { type } of [width, height]) {
      expect(() => type.parse(value)).toThrow(
        expect.objectContaining({ expected: 'an integer of at least 1' }),
      )
    }
  })

  it.each([1, 50, Number.MAX_SAFE_INTEGER])('may be %o', value => {
    expect([width.type.parse(value), height.type.parse(value)]).toEqual([value, value])
  })
})

describe('the default picture', () => {
  it.each([
    [{}, 50, 50],
    [{ width: 100 }, 100, 100],
    [{ height: 70 }, 70, 70],
    [{ width: 100, height: 70 }, 100, 70],
    [{ type: 'large' }, 200, 200],
  ])('has the requested size: %o gives %d by %d', (parameters, width, height) => {
    expect(choosePicture([], parameters, '/s.svg')).toEqual({
      height,
      is_silhouette: true,
      url: '/s.svg',
      width,
    })
  })

  it('is omitted if the schema has none', () => {
    expect(choosePicture([])).toBeUndefined()
  })
})
