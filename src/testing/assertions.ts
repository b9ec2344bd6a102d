import { isPlainObject } from '../base/json.ts'

const LONGEST = 400

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  Array.isArray(value) || isPlainObject(value)

/** An inherited member, such as that of the name `constructor`, is no member. */
const member = (value: { readonly [name: string]: unknown }, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

/** Says where two values first differ. A member that is undefined and one that is absent are the same. */
const difference = (actual: unknown, expected: unknown, path: string): string | undefined => {
  if (actual === expected) return undefined
  const sameKind = isObject(actual) && isObject(expected) && Array.isArray(actual) === Array.isArray(expected)
  if (!sameKind || (Array.isArray(actual) && actual.length !== member(expected, 'length')))
    return `${path === '' ? '' : `at ${path} `}expected ${show(expected)}, came ${show(actual)}`
  for (const name of new Set([...Object.keys(actual), ...Object.keys(expected)])) {
    const found = difference(member(actual, name), member(expected, name), `${path}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** Fails with a sentence that says what was looked at. */
export const fail = (about: string): never => {
  throw new Error(about)
}

/** Fails unless two JSON-like values are the same, whatever the order of their members, and says where they differ. */
export const assertEqual = (actual: unknown, expected: unknown, about: string): void => {
  const found = difference(actual, expected, '')
  if (found !== undefined) fail(`${about}: ${found}`)
}

/** What a call throws or rejects with; fails where it does neither. */
export const rejectionOf = async (call: () => unknown, about: string): Promise<unknown> => {
  try {
    await call()
  } catch (error) {
    return error
  }
  return fail(`${about}: expected it to be refused, but it was not`)
}
