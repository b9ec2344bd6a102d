import { describeValue } from './describe.ts'
import { isNonArrayObject, isPlainObject } from './json.ts'
import { unknownOptionError, usageError } from './usage-error.ts'

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every(item => typeof item === 'string')

/** The kinds of options, each with its description and its check. */
const OPTION_KINDS = {
  text: ['a string', (value: unknown) => typeof value === 'string'],
  boolean: ['a boolean', (value: unknown) => typeof value === 'boolean'],
  function: ['a function', (value: unknown) => typeof value === 'function'],
  object: ['an object', isNonArrayObject],
  record: ['a plain object', isPlainObject],
  texts: ['an array of strings', isTextList],
  signal: ['an AbortSignal', (value: unknown) => value instanceof AbortSignal],
} as const

/** The known options and their kinds. The value of an `any` option is validated elsewhere. */
export type OptionKinds = { readonly [name: string]: keyof typeof OPTION_KINDS | 'any' }

/** @throws TypeError for a value that is not an object. */
export const assertObject: (
  location: string,
  value: unknown,
  name?: string,
) => asserts value is { readonly [name: string]: unknown } = (location, value, name = 'options') => {
  if (!isNonArrayObject(value)) throw usageError(location, name, 'an object', describeValue(value))
}

const formatOptionsName = (path: string | undefined): string =>
  path === undefined ? 'options' : `options of "${path}"`

/**
 * Rejects unknown options, because a misspelled option would otherwise silently have no effect.
 *
 * @throws TypeError whose message contains the location, the known options and the unknown option.
 */
export const assertKnownOptions = (
  location: string,
  options: unknown,
  knownOptions: readonly string[],
  path?: string,
): void => {
  if (options === undefined) return
  assertObject(location, options, path)
  const unknownOption = Object.keys(options).find(name => !knownOptions.includes(name))
  if (unknownOption !== undefined)
    throw unknownOptionError(location, formatOptionsName(path), knownOptions, unknownOption)
}

/**
 * Returns the option `limits` with its defaults.
 *
 * @throws TypeError for an unknown limit, or a value that is not a positive integer.
 */
export const resolveLimits = <TName extends string>(
  location: string,
  options: { readonly [name in TName]?: number | undefined } | undefined,
  defaults: { readonly [name in TName]: number },
): { readonly [name in TName]: number } => {
  const names = Object.keys(defaults) as TName[]
  assertKnownOptions(location, options, names, 'limits')
  const limits: { [name in TName]: number } = { ...defaults }
  for (const name of names) {
    const value = options?.[name] ?? defaults[name]
    if (!Number.isSafeInteger(value) || value < 1)
      throw usageError(location, `limits.${name}`, 'an integer of at least 1', describeValue(value))
    limits[name] = value
  }
  return Object.freeze(limits)
}

/**
 * Rejects unknown options, and values of a wrong kind.
 *
 * @throws TypeError whose message contains the location, the expected and the received value.
 */
export const assertOptionKinds = (
  location: string,
  options: unknown,
  kinds: OptionKinds,
  path?: string,
): void => {
  if (options === undefined) return
  assertObject(location, options, path)
  for (const name of Object.keys(options)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined)
      throw unknownOptionError(location, formatOptionsName(path), Object.keys(kinds), name)
    const value = options[name]
    if (value === undefined || kind === 'any' || OPTION_KINDS[kind][1](value)) continue
    const fullName = path === undefined ? name : `${path}.${name}`
    throw usageError(location, fullName, OPTION_KINDS[kind][0], describeValue(value))
  }
}
