import { isText, type JsonValue } from '../base/json.ts'
import { formatChoices } from '../base/usage-error.ts'
import { type FieldType, ValidationIssue } from './field-type.ts'

const createScalarType = <TOutput extends JsonValue>(
  name: string,
  notation: 'text' | 'json',
  expected: string,
  isValid: (value: unknown) => value is TOutput,
): FieldType<TOutput> => ({
  name,
  notation,
  serializesAsIs: true,
  parse(value) {
    if (!isValid(value)) throw new ValidationIssue(expected, value)
    return value
  },
  isValid,
  // This is for values inside lists and objects. A formatter itself checks and copies the value of a whole
  // field.
  serialize: stored => (isValid(stored) ? stored : undefined),
})

const NUMERIC_STRING = /^-?[0-9]+(?:\.[0-9]+)?$/

const isNumericString = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 64 && NUMERIC_STRING.test(value)

/**
 * The beginning of most URLs. A URL that begins like this is always valid, because its host is not a number
 * and has no encoded part (`xn--…`).
 */
const USUAL_URL_START = /^https?:\/\/[a-z.]+\//

/**
 * Whether a value is a URL. Every URL that is read is checked, and the regular expression takes a third of
 * the time of `URL.canParse`.
 */
const isUrl = (value: unknown): value is string =>
  isText(value) && (value[0] === '/' || USUAL_URL_START.test(value) || URL.canParse(value))

export const stringType = createScalarType('string', 'text', 'a well-formed string', isText)

export const numericStringType = createScalarType(
  'numeric string',
  'text',
  'a decimal number as a string of at most 64 characters',
  isNumericString,
)

export const boolType = createScalarType('bool', 'json', 'true or false', value => typeof value === 'boolean')

export const intType = createScalarType(
  'int',
  'json',
  'an integer of at most 2^53 - 1',
  (value): value is number => Number.isSafeInteger(value),
)

export const floatType = createScalarType('float', 'json', 'a finite number', (value): value is number =>
  Number.isFinite(value),
)

export const urlType = createScalarType('url', 'text', 'a URL, or a path that begins with /', isUrl)

/** Creates the type of a fixed set of words. */
export const enumType = <TWord extends string>(givenWords: readonly TWord[]): FieldType<TWord> => {
  const words = Object.freeze([...givenWords])
  const isWord = (value: unknown): value is TWord => words.some(word => word === value)
  return { ...createScalarType('enum', 'text', formatChoices(words), isWord), parts: { words } }
}
