import type { JsonValue } from '../base/json.ts'
import { type FieldType, Mismatch } from './field-type.ts'

const plainType = <TOutput extends JsonValue>(
  name: string,
  notation: 'text' | 'json',
  expected: string,
  accepts: (value: unknown) => value is TOutput,
): FieldType<TOutput> => ({
  name,
  notation,
  plain: true,
  parse(value) {
    if (!accepts(value)) throw new Mismatch(expected, value)
    return value
  },
  isValid: accepts,
  // Of use inside lists and objects; the projection itself checks and copies the value of a whole field.
  serialize: stored => (accepts(stored) ? stored : undefined),
})

/** Text without lone surrogates: what every store and every encoding can carry. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed()

const isNumericString = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9]{1,64}$/.test(value)

/** How most URLs begin. Whatever follows, they can be parsed: their host is no number, and has no encoded part (`xn--…`). */
const USUAL_URL = /^https?:\/\/[a-z.]+\//

/** Each URL that is read is checked, and the expression takes a third of the time of `URL.canParse`. */
const isUrl = (value: unknown): value is string =>
  isText(value) && (value[0] === '/' || USUAL_URL.test(value) || URL.canParse(value))

export const stringType = plainType('string', 'text', 'well-formed text', isText)

export const numericStringType = plainType('numeric string', 'text', 'text of digits', isNumericString)

export const boolType = plainType('bool', 'json', 'true or false', value => typeof value === 'boolean')

export const intType = plainType('int', 'json', 'an integer of at most 2^53 - 1', (value): value is number =>
  Number.isSafeInteger(value),
)

export const floatType = plainType('float', 'json', 'a finite number', (value): value is number =>
  Number.isFinite(value),
)

export const urlType = plainType('url', 'text', 'a URL, or a path that begins with /', isUrl)

/** One of a closed set of words. */
export const enumType = <TWord extends string>(given: readonly TWord[]): FieldType<TWord> => {
  const words = Object.freeze([...given])
  const isWord = (value: unknown): value is TWord => words.some(word => word === value)
  return { ...plainType('enum', 'text', `one of ${words.join(', ')}`, isWord), parts: { words } }
}
