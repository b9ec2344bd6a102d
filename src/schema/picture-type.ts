import { isPlainObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { type FieldType, Mismatch, type SerializeContext } from './field-type.ts'
import { boolType, enumType, intType, isText, urlType } from './scalar-types.ts'
import { objectType } from './structured-types.ts'

/** One stored size of a picture. */
export type PictureSize = { url: string; width: number; height: number }

/** A picture as it is written: one size, or all that there are. */
export type PictureInput = PictureSize | readonly PictureSize[]

/** A picture as it is answered. */
export type Picture = { data: { height: number; is_silhouette: boolean; url: string; width: number } }

/** Least widths and heights that the named sizes stand for. */
const NAMED_SIZES = new Map([
  ['small', 50],
  ['square', 50],
  ['album', 50],
  ['thumbnail', 50],
  ['normal', 100],
  ['large', 200],
])
const DEFAULT_SIZE = 50

const isLength = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

const lengthType: FieldType<number> = {
  ...intType,
  isValid: isLength,
  parse(value) {
    if (!isLength(value)) throw new Mismatch('an integer from 1', value)
    return value
  },
}

/** The parameters that choose among the stored sizes. */
export const pictureSizeParameters = {
  width: lengthType,
  height: lengthType,
  type: enumType([...NAMED_SIZES.keys()]),
}

/** Clients send `redirect` with the field as they do with the edge; a field sends nobody anywhere, so it changes nothing. */
export const pictureParameters = { ...pictureSizeParameters, redirect: boolType }

const sizeOf = (value: unknown): PictureSize | undefined => {
  if (!isPlainObject(value)) return undefined
  const { url, width, height } = value
  return isText(url) && url !== '' && isLength(width) && isLength(height) ? { url, width, height } : undefined
}

const sizesOf = (value: unknown): PictureSize[] | undefined => {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  const sizes: PictureSize[] = []
  for (const item of items) {
    const size = sizeOf(item)
    if (size === undefined) return undefined
    sizes.push(size)
  }
  return sizes
}

const asked = (value: JsonValue | undefined): number => (typeof value === 'number' ? value : 0)

/** The smallest size that is at least as wide and high as asked, or the largest of all where none is. */
const choose = (sizes: readonly PictureSize[], width: number, height: number): PictureSize | undefined => {
  const bySize = sizes.toSorted((a, b) => a.width * a.height - b.width * b.height)
  return bySize.find(size => size.width >= width && size.height >= height) ?? bySize.at(-1)
}

const answer = (size: PictureSize, isSilhouette: boolean): Picture => ({
  data: { height: size.height, is_silhouette: isSilhouette, url: size.url, width: size.width },
})

const serialize = (
  stored: JsonValue | undefined,
  { parameters, silhouette, checked }: SerializeContext,
): Picture | undefined => {
  const sizes = sizesOf(stored)
  if (sizes === undefined && stored !== undefined && stored !== null && checked) return undefined
  const named = NAMED_SIZES.get(String(parameters.type))
  const width = asked(parameters.width) || named || 0
  const height = asked(parameters.height) || named || 0
  const least = width || height ? 0 : DEFAULT_SIZE
  const chosen = choose(sizes ?? [], width || least, height || least)
  if (chosen !== undefined) return answer(chosen, false)
  if (silhouette === undefined) return undefined
  const side = Math.max(width, height, least)
  return answer({ url: silhouette, width: width || side, height: height || side }, true)
}

/** What stands in the envelope of an answered picture. */
const chosenSize = objectType(
  new Map([
    ['height', { type: intType, required: true }],
    ['is_silhouette', { type: boolType, required: true }],
    ['url', { type: urlType, required: true }],
    ['width', { type: intType, required: true }],
  ]),
)

/** Stored as its sizes; answered as the one that fits the parameters, or as the schema's silhouette. */
export const pictureType: FieldType<Picture> = {
  name: 'object',
  notation: 'json',
  plain: false,
  parts: { data: chosenSize },
  parse(value): JsonObject[] {
    const sizes = sizesOf(value)
    if (sizes === undefined || sizes.length === 0)
      throw new Mismatch('one { url, width, height } or a list of them', value)
    return sizes
  },
  isValid: stored => sizesOf(stored) !== undefined,
  serialize,
}
