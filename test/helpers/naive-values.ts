/**
 * Computes the result of each field type for a stored value in the simplest way. Tests compare results with
 * it.
 */

/**
 * A returned value, `'nothing'` if no value is returned, or `'bad'` if the stored value is invalid for its
 * type.
 */
export type NaiveValue = { readonly value: unknown } | 'nothing' | 'bad'

type NaiveParser = (stored: unknown) => NaiveValue

const unchangedIf =
  (accepts: (stored: unknown) => boolean): NaiveParser =>
  stored =>
    accepts(stored) ? { value: stored } : 'bad'

const isInteger = (stored: unknown, most: number): stored is number =>
  typeof stored === 'number' && Math.trunc(stored) === stored && stored >= -most && stored <= most

const isObject = (stored: unknown): stored is { [name: string]: unknown } =>
  typeof stored === 'object' && stored !== null && !Array.isArray(stored)

const isWellFormed = (text: string): boolean =>
  !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)

const isText = (stored: unknown): stored is string => typeof stored === 'string' && isWellFormed(stored)

const isUrl = (stored: unknown): boolean => {
  if (!isText(stored)) return false
  try {
    return stored[0] === '/' || new URL(stored) !== undefined
  } catch {
    return false
  }
}

const isDate = (stored: unknown): stored is string => {
  if (typeof stored !== 'string' || !/^\d\d\d\d-\d\d-\d\d$/.test(stored)) return false
  const date = new Date(`${stored}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === stored
}

/** Returns the year, month, day and `show` of a birthday. */
const parseBirthday = (stored: unknown): readonly string[] | undefined => {
  const { date, show } = isObject(stored) ? stored : { date: stored, show: 'full' }
  if (!isDate(date) || (show !== 'full' && show !== 'year' && show !== 'day')) return undefined
  return [...date.split('-'), show]
}

const birthday: NaiveParser = stored => {
  const [year, month, day, show] = parseBirthday(stored) ?? []
  if (show === undefined) return 'bad'
  if (show === 'year') return { value: year }
  return { value: show === 'day' ? `${month}/${day}` : `${month}/${day}/${year}` }
}

const ageAt =
  (now: string): NaiveParser =>
  stored => {
    const [year = '', month, day] = parseBirthday(stored) ?? []
    if (day === undefined) return 'bad'
    const [thisYear = '', ...today] = now.split('-')
    const age = Number(thisYear) - Number(year) - (today.join('') < `${month}${day}` ? 1 : 0)
    if (age < 13) return 'nothing'
    return { value: age >= 21 ? { min: 21 } : age >= 18 ? { min: 18, max: 20 } : { min: 13, max: 17 } }
  }

const datetime: NaiveParser = stored =>
  isInteger(stored, 8.64e15) ? { value: new Date(stored).toISOString().replace(/\.\d+Z$/, '+0000') } : 'bad'

const areValid = (parts: readonly NaiveValue[]): boolean => parts.every(part => part !== 'bad')
const valuesOf = (part: NaiveValue): readonly unknown[] => (typeof part === 'string' ? [] : [part.value])

const listOf =
  (of: NaiveParser): NaiveParser =>
  stored => {
    if (!Array.isArray(stored)) return 'bad'
    const parts = stored.map(of)
    return areValid(parts) ? { value: parts.flatMap(valuesOf) } : 'bad'
  }

const mapOf =
  (of: NaiveParser): NaiveParser =>
  stored => {
    if (!isObject(stored)) return 'bad'
    const parts = Object.entries(stored).map(
      ([key, part]) => [key, isWellFormed(key) ? of(part) : 'bad'] as const,
    )
    if (!areValid(parts.map(([, part]) => part))) return 'bad'
    return {
      value: Object.fromEntries(parts.flatMap(([key, part]) => valuesOf(part).map(value => [key, value]))),
    }
  }

const objectOf =
  (members: { readonly [name: string]: readonly [of: NaiveParser, required: boolean] }): NaiveParser =>
  stored => {
    if (!isObject(stored)) return 'bad'
    const parts = Object.entries(members).map(([name, [of, required]]) => {
      const part = Object.getOwnPropertyDescriptor(stored, name)?.value ?? undefined
      return [name, part === undefined ? (required ? 'bad' : 'nothing') : of(part)] as const
    })
    if (!areValid(parts.map(([, part]) => part))) return 'bad'
    return {
      value: Object.fromEntries(parts.flatMap(([key, part]) => valuesOf(part).map(value => [key, value]))),
    }
  }

const isSize = (stored: unknown): stored is { url: string; width: number; height: number } =>
  isObject(stored) &&
  isText(stored.url) &&
  stored.url.length > 0 &&
  [stored.width, stored.height].every(length => isInteger(length, 2 ** 53 - 1) && length >= 1)

/**
 * Parses a picture for a read without parameters: returns the smallest size of at least 50 by 50, or the
 * largest size if all are smaller.
 */
const picture: NaiveParser = stored => {
  const sizes: readonly unknown[] = Array.isArray(stored) ? stored : [stored]
  if (!sizes.every(isSize)) return 'bad'
  const bySize = [...sizes].sort((a, b) => a.width * a.height - b.width * b.height)
  const size = bySize.find(({ width, height }) => width >= 50 && height >= 50) ?? bySize[bySize.length - 1]
  if (size === undefined) return 'nothing'
  const { url, width, height } = size
  return { value: { data: { height, is_silhouette: false, url, width } } }
}

/** Whether a value that `JSON.parse` returned, or that tests make, has only well-formed texts. */
const isJson = (stored: unknown): boolean => {
  if (typeof stored === 'string') return isWellFormed(stored)
  if (typeof stored === 'number') return stored - stored === 0
  if (Array.isArray(stored)) return stored.every(isJson)
  return !isObject(stored) || Object.entries(stored).flat().every(isJson)
}

const int = unchangedIf(stored => isInteger(stored, 2 ** 53 - 1))
const string = unchangedIf(isText)
const word = unchangedIf(stored => stored === 'calm' || stored === 'cross')

/**
 * Creates the parsers of the fields of the schema in `test/property/bad-values.test.ts`. `today` is the
 * current date.
 */
export const createNaiveParsers = (today: string): { readonly [field: string]: NaiveParser } => ({
  string,
  word_of_all: word,
  time_of_all: datetime,
  digits: unchangedIf(
    stored => typeof stored === 'string' && /^-?\d+(\.\d+)?$/.test(stored) && stored.length <= 64,
  ),
  bool: unchangedIf(stored => stored === true || stored === false),
  int,
  float: unchangedIf(stored => typeof stored === 'number' && stored - stored === 0),
  url: unchangedIf(isUrl),
  datetime,
  unixtime: unchangedIf(stored => isInteger(stored, 8.64e12)),
  day: unchangedIf(stored => isDate(stored) && Number(stored.slice(0, 4)) > 0),
  json: unchangedIf(isJson),
  birthday,
  age: ageAt(today),
  picture,
  word,
  list: listOf(datetime),
  map: mapOf(int),
  object: objectOf({ width: [int, true], at: [datetime, false], of: [picture, false] }),
  objects: listOf(objectOf({ day: [birthday, false], note: [string, true] })),
  money: stored =>
    typeof stored === 'string' && /^\d+ [A-Z]{3}$/.test(stored)
      ? { value: { amount: Number(stored.split(' ')[0]), currency: stored.split(' ')[1] } }
      : 'bad',
})
