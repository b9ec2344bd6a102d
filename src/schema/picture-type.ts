import { isNonArrayObject, isText, type JsonObject, type JsonValue } from '../base/json.ts'
import { type FieldType, type SerializeContext, ValidationIssue } from './field-type.ts'
import { parameter } from './parameter-builders.ts'
import { boolType, intType, urlType } from './scalar-types.ts'
import { objectType } from './structured-types.ts'

/** One stored size of a picture. */
export type PictureSize = { url: string; width: number; height: number }

/** The written form of a picture: one size, or all sizes. */
export type PictureInput = PictureSize | readonly PictureSize[]

/** A picture in a result. */
export type Picture = { data: { height: number; is_silhouette: boolean; url: string; width: number } }

/** The minimum width and height of each named size. */
const MIN_PIXELS_BY_NAME = new Map([
  ['small', 50],
  ['square', 50],
  ['album', 50],
  ['thumbnail', 50],
  ['normal', 100],
  ['large', 200],
])
const DEFAULT_PIXELS = 50

const isPixelCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

const pixelCountType: FieldType<number> = {
  ...intType,
  isValid: isPixelCount,
  parse(value) {
    if (!isPixelCount(value)) throw new ValidationIssue('an integer of at least 1', value)
    return value
  },
}

/** The parameters that choose one of the stored sizes. */
export const pictureSizeParameters = {
  width: { ...parameter.int(), type: pixelCountType },
  height: { ...parameter.int(), type: pixelCountType },
  type: parameter.enum([...MIN_PIXELS_BY_NAME.keys()]),
}

/**
 * The parameters of a picture. Clients of the protocol send `redirect` for the edge and also for the field,
 * where it has no effect.
 */
export const pictureParameters = { ...pictureSizeParameters, redirect: parameter.bool() }

const parseSize = (value: unknown): PictureSize | undefined => {
  if (!isNonArrayObject(value)) return undefined
  const { url, width, height } = value
  return isText(url) && url !== '' && isPixelCount(width) && isPixelCount(height)
    ? { url, width, height }
    : undefined
}

const parseSizes = (value: unknown): PictureSize[] | undefined => {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  const sizes: PictureSize[] = []
  for (const item of items) {
    const size = parseSize(item)
    if (size === undefined) return undefined
    sizes.push(size)
  }
  return sizes
}

const toPixelCount = (value: JsonValue | undefined): number => (typeof value === 'number' ? value : 0)

/**
 * Returns the smallest size that is at least as wide and as high as requested, or the largest size if there
 * is no such size.
 */
const chooseSize = (
  sizes: readonly PictureSize[],
  width: number,
  height: number,
): PictureSize | undefined => {
  const sortedSizes = sizes.toSorted((a, b) => a.width * a.height - b.width * b.height)
  return sortedSizes.find(size => size.width >= width && size.height >= height) ?? sortedSizes.at(-1)
}

const toPicture = (size: PictureSize, isDefault: boolean): Picture => ({
  data: { height: size.height, is_silhouette: isDefault, url: size.url, width: size.width },
})

const serializePicture = (
  stored: JsonValue | undefined,
  { parameters, defaultPicture, isStrict }: SerializeContext,
): Picture | undefined => {
  const sizes = parseSizes(stored)
  if (sizes === undefined && stored !== undefined && stored !== null && isStrict) return undefined
  const minPixels = MIN_PIXELS_BY_NAME.get(String(parameters.type))
  const width = toPixelCount(parameters.width) || minPixels || 0
  const height = toPixelCount(parameters.height) || minPixels || 0
  const fallbackPixels = width || height ? 0 : DEFAULT_PIXELS
  const chosenSize = chooseSize(sizes ?? [], width || fallbackPixels, height || fallbackPixels)
  if (chosenSize !== undefined) return toPicture(chosenSize, false)
  if (defaultPicture === undefined) return undefined
  const maxPixels = Math.max(width, height, fallbackPixels)
  return toPicture({ url: defaultPicture, width: width || maxPixels, height: height || maxPixels }, true)
}

/** The type of `data` in a picture. */
const pictureDataType = objectType(
  new Map([
    ['height', { type: intType, required: true }],
    ['is_silhouette', { type: boolType, required: true }],
    ['url', { type: urlType, required: true }],
    ['width', { type: intType, required: true }],
  ]),
)

/**
 * The type of pictures. A record contains all sizes. A result contains the size that fits the parameters, or
 * the default picture.
 */
export const pictureType: FieldType<Picture> = {
  name: 'object',
  notation: 'json',
  serializesAsIs: false,
  parts: { data: pictureDataType },
  parse(value): JsonObject[] {
    const sizes = parseSizes(value)
    if (sizes === undefined || sizes.length === 0)
      throw new ValidationIssue('one { url, width, height } or an array of them', value)
    return sizes
  },
  isValid: stored => parseSizes(stored) !== undefined,
  serialize: serializePicture,
}
