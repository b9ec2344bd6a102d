import { describe } from './describe.ts'
import { isPlainObject } from './json.ts'

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every(item => typeof item === 'string')

/** What an option may have to be, each with the words for it. */
const KINDS = {
  text: ['text', (value: unknown) => typeof value === 'string'],
  boolean: ['a boolean', (value: unknown) => typeof value === 'boolean'],
  function: ['a function', (value: unknown) => typeof value === 'function'],
  object: ['an object', isPlainObject],
  texts: ['a list of text', isTextList],
} as const

/** The options that there are, each with what it must be where it is given; `any` is judged by whoever reads it. */
export type OptionKinds = { readonly [name: string]: keyof typeof KINDS | 'any' }

/** @throws TypeError where there is no object to read from. */
export const assertObject: (
  place: string,
  value: unknown,
) => asserts value is { readonly [name: string]: unknown } = (place, value) => {
  if (!isPlainObject(value))
    throw new TypeError(`${place}: expected options as an object, came ${describe(value)}`)
}

const unknownOption = (place: string, name: string, known: readonly string[]): TypeError =>
  new TypeError(`${place}: unknown option ${describe(name)}; expected one of ${known.join(', ')}`)

/**
 * Refuses options that nobody would read, since a misspelt one would otherwise do nothing in silence.
 *
 * @throws TypeError naming the place, what may stand there and what came.
 */
export const assertOptions = (place: string, options: unknown, known: readonly string[]): void => {
  if (options === undefined) return
  assertObject(place, options)
  const unknown = Object.keys(options).find(name => !known.includes(name))
  if (unknown !== undefined) throw unknownOption(place, unknown, known)
}

/**
 * Refuses unknown options, and those that are of another kind than they must be.
 *
 * @throws TypeError naming the place, what may stand there and what came.
 */
export const assertKinds = (place: string, options: unknown, kinds: OptionKinds): void => {
  if (options === undefined) return
  assertObject(place, options)
  for (const name of Object.keys(options)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) throw unknownOption(place, name, Object.keys(kinds))
    const value = options[name]
    if (value === undefined || kind === 'any' || KINDS[kind][1](value)) continue
    throw new TypeError(`${place}: ${name} must be ${KINDS[kind][0]}, came ${describe(value)}`)
  }
}
