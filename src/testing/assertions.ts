import { isObject } from '../base/json.ts'

const MAX_SHOWN_LENGTH = 400

const formatValue = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}

/** Returns a member of an object. Ignores inherited members, such as `constructor`. */
const getOwnMember = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** Describes the first difference between two values. An undefined member equals a missing one. */
const findDifference = (actual: unknown, expected: unknown, path: string): string | undefined => {
  if (actual === expected) return undefined
  const isSameKind =
    isObject(actual) && isObject(expected) && Array.isArray(actual) === Array.isArray(expected)
  if (!isSameKind || (Array.isArray(actual) && actual.length !== getOwnMember(expected, 'length')))
    return `${path === '' ? '' : `at ${path} `}expected ${formatValue(expected)}; received ${formatValue(actual)}`
  for (const name of new Set([...Object.keys(actual), ...Object.keys(expected)])) {
    const difference = findDifference(
      getOwnMember(actual, name),
      getOwnMember(expected, name),
      `${path}/${name}`,
    )
    if (difference !== undefined) return difference
  }
  return undefined
}

export const fail = (message: string): never => {
  throw new Error(message)
}

/**
 * Throws if two JSON-like values differ, regardless of the order of their members. The error shows the first
 * difference.
 */
export const assertEqual = (actual: unknown, expected: unknown, label: string): void => {
  const difference = findDifference(actual, expected, '')
  if (difference !== undefined) fail(`${label}: ${difference}`)
}

/** Returns the error that a call throws or rejects with. Throws if the call succeeds. */
export const assertRejects = async (call: () => unknown, label: string): Promise<unknown> => {
  try {
    await call()
  } catch (error) {
    return error
  }
  return fail(`${label}: expected a rejection, but the call succeeded`)
}

/** Throws unless a call throws or rejects with a TypeError. */
export const assertTypeError = async (call: () => unknown, label: string): Promise<void> => {
  const error = await assertRejects(call, label)
  // A wrapper may throw another error, with the error of its store as the cause.
  const errors = error instanceof Error ? [error, error.cause] : []
  if (!errors.some(item => item instanceof TypeError))
    fail(`${label}: expected a TypeError; received ${error}`)
}
